import { randomUUID } from 'node:crypto'
import type { JobsOptions, Queue } from 'bullmq'
import type { SealContext } from '../secrets/sealing.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { available } from './available.ts'
import type { Completions } from './completions.ts'
import { failuresKeptSeconds, type QueueName } from './definition.ts'
import { type DirectRequest, type DirectRequests, unansweredMs } from './direct-requests.ts'
import { definitionOf, isJobName, type JobName, type Payload, type Result } from './registry.ts'

/** The data of a job in Redis. */
export interface JobData {
  /** The payload as JSON, or its sealed JSON. */
  payload: unknown
  /** The channel for the reply, if a caller waits for the result. */
  replyTo?: string
}

export interface SendOptions {
  /** At most one job with this id is queued. The id has no `:` and is not an integer. */
  id?: string
  delayMs?: number
  /** 0 is first; then 1 to 2,097,151. */
  priority?: number
  /** Removes the job when it has failed, so that a job with the same id can be added at once. */
  forgetFailure?: boolean
}

/** Adds jobs to their queues. Throws `service_unavailable` at once while Redis is not reachable. */
export interface JobSender {
  send<Name extends JobName>(name: Name, payload: Payload<Name>, options?: SendOptions): Promise<void>
  sendMany<Name extends JobName>(
    name: Name,
    entries: { payload: Payload<Name>; options?: SendOptions }[],
  ): Promise<void>
  /** Sends the payload and waits for the result. Throws the problem with which the handler refused. */
  call<Name extends JobName>(name: Name, payload: Payload<Name>, options: { deadlineMs: number }): Promise<Result<Name>>
  /** Adds a direct request to the queue as a job. Does nothing if a job with its id is queued. */
  addJob(request: DirectRequest): Promise<void>
}

/** Returns the context for which the payload and the result of a sealed job are sealed. */
export function jobSealContext(name: JobName): SealContext {
  return { use: `job ${name}`, place: name }
}

interface SenderOptions {
  queue(name: QueueName): Queue
  secrets: Secrets
  completions: Completions
  directRequests: DirectRequests
}

export function createSender(options: SenderOptions): JobSender {
  const { queue } = options
  const jobData = createJobData(options.secrets)

  async function addJob({ id, name, data }: DirectRequest): Promise<void> {
    if (!isJobName(name)) throw new Error(`The registry has no job ${name}.`)
    await available(queue(definitionOf(name).queue).add(name, data, jobOptions(name, { id })))
  }

  return {
    addJob,
    async send(name, payload, options = {}) {
      await available(queue(definitionOf(name).queue).add(name, jobData(name, payload), jobOptions(name, options)))
    },
    async sendMany(name, entries) {
      const rows = entries.map(({ payload, options = {} }) => ({
        name,
        data: jobData(name, payload),
        opts: jobOptions(name, options),
      }))
      await available(queue(definitionOf(name).queue).addBulk(rows))
    },
    call: createCall(options, addJob),
  }
}

function createJobData(secrets: Secrets): (name: JobName, payload: unknown, replyTo?: string) => JobData {
  return (name, payload, replyTo) => ({
    payload: definitionOf(name).sealed ? secrets.seal(JSON.stringify(payload), jobSealContext(name)) : payload,
    ...(replyTo ? { replyTo } : {}),
  })
}

function createCall(
  { queue, secrets, completions, directRequests }: SenderOptions,
  addJob: JobSender['addJob'],
): JobSender['call'] {
  const jobData = createJobData(secrets)

  /**
   * Queues a request without a reply as a job. The process that took it may have died, or Redis has lost it or its reply. Nothing changes
   * while a job with its id waits or runs.
   */
  async function queueAgain(request: DirectRequest): Promise<void> {
    await directRequests.withdraw(request)
    await addJob(request).catch(() => undefined) // Redis is not reachable: the caller fails at its deadline
  }

  /**
   * Removes the job of a caller that does not wait any more. Otherwise its sealed content stays in Redis while no signing process runs. A job
   * that runs removes itself when it ends.
   */
  async function removeJob({ id, name }: DirectRequest): Promise<void> {
    if (!isJobName(name)) return
    await queue(definitionOf(name).queue)
      .remove(id)
      .catch(() => undefined) // Redis is not reachable: a signing process takes the job
  }

  return async (name, payload, { deadlineMs }) => {
    const { sealed, signingQueue } = definitionOf(name)
    const id = randomUUID()
    const expected = completions.expect(id, deadlineMs)
    const request = { id, name, data: jobData(name, payload, completions.channel) }
    // Only jobs with a signing queue are short enough for a direct request.
    const isDirect = signingQueue !== undefined && directRequests.hasListener()
    let queued = Promise.resolve()
    const timer = setInterval(() => {
      queued = queueAgain(request)
    }, unansweredMs)
    try {
      await (isDirect ? available(directRequests.put(request)) : addJob(request))
      const result = await expected.reply
      return JSON.parse(sealed ? secrets.open(result, jobSealContext(name)) : result)
    } catch (error) {
      expected.forget()
      if (isDirect) void directRequests.withdraw(request)
      if (sealed) void queued.then(() => removeJob(request))
      throw error
    } finally {
      clearInterval(timer)
    }
  }
}

function jobOptions(name: JobName, { id, delayMs, priority, forgetFailure }: SendOptions): JobsOptions {
  const { attempts, backoffMs, forgetFailures } = definitionOf(name)
  return {
    attempts,
    backoff: { type: 'custom', delay: backoffMs },
    removeOnComplete: true,
    removeOnFail: forgetFailures || forgetFailure ? true : { age: failuresKeptSeconds, count: 10_000 },
    stackTraceLimit: 2,
    ...(id === undefined ? {} : { jobId: id }),
    ...(delayMs === undefined ? {} : { delay: delayMs }),
    ...(priority === undefined ? {} : { priority }),
  }
}
