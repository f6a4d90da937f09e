import { randomUUID } from 'node:crypto'
import type { JobsOptions, Queue } from 'bullmq'
import { findProblem } from '../errors/errors.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { available } from './available.ts'
import type { Completions } from './completions.ts'
import { failuresKeptSeconds, type QueueName } from './definition.ts'
import {
  type DirectAnswer,
  type DirectChannel,
  type DirectRequest,
  type StoredRequest,
  unansweredMs,
} from './direct-requests.ts'
import { createJobData, jobSealContext } from './job-data.ts'
import { definitionOf, isJobName, type JobName, type Payload, type Result } from './registry.ts'

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
  addJob(request: StoredRequest): Promise<void>
}

interface SenderOptions {
  queue(name: QueueName): Queue
  secrets: Secrets
  completions: Completions
  /** The ways of direct requests, in the order of preference. */
  channels: readonly DirectChannel[]
}

export function createSender(options: SenderOptions): JobSender {
  const { queue } = options
  const jobData = createJobData(options.secrets)

  async function addJob({ id, name, data }: StoredRequest): Promise<void> {
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

function createCall(
  { queue, secrets, completions, channels }: SenderOptions,
  addJob: JobSender['addJob'],
): JobSender['call'] {
  const jobData = createJobData(secrets)

  /**
   * Removes the job of a caller that does not wait any more. Otherwise its sealed content stays in Redis while no signing process runs. A job
   * that runs removes itself when it ends.
   */
  async function removeJob({ id, name }: DirectRequest): Promise<void> {
    await queue(definitionOf(name).queue)
      .remove(id)
      .catch(() => undefined) // Redis is not reachable: a signing process takes the job
  }

  return async (name, payload, { deadlineMs }) => {
    const { sealed, signingQueue } = definitionOf(name)
    const id = randomUUID()
    const expected = completions.expect(id, deadlineMs)
    const reply = expected.reply.then((text) => ({
      result: JSON.parse(sealed ? secrets.open(text, jobSealContext(name)) : text),
    }))
    const stored = once(() => ({ id, name, data: jobData(name, payload, completions.channel) }))
    const request: DirectRequest = { id, name, payload, stored }
    // Only jobs with a signing queue are short enough for a direct request.
    const channel = signingQueue && channels.find((each) => each.isOpen())
    let isOver = false
    let queued = Promise.resolve()
    async function queueJob(): Promise<void> {
      if (isOver) return
      const adding = addJob(stored())
      queued = adding.catch(() => undefined)
      await adding
    }
    const timer = setInterval(() => void queueAgain(request, channel, queueJob), unansweredMs)
    try {
      const answer = await Promise.race([reply, sendOver(channel, request, queueJob).then((sent) => sent ?? reply)])
      return answer.result
    } catch (error) {
      void channel?.withdraw(request)
      if (sealed) void queued.then(() => removeJob(request))
      throw error
    } finally {
      isOver = true
      expected.forget()
      clearInterval(timer)
    }
  }
}

/** Sends a request over the channel. It becomes a job if there is no channel, and if the channel fails. */
async function sendOver(
  channel: DirectChannel | undefined,
  request: DirectRequest,
  queueJob: () => Promise<void>,
): Promise<DirectAnswer | undefined> {
  if (!channel) return void (await queueJob())
  try {
    return await channel.send(request)
  } catch (error) {
    // Without Redis there is no job. The caller then gets the problem of the signing process.
    await queueJob().catch((unavailable) => Promise.reject(findProblem(error) ?? unavailable))
    return undefined
  }
}

/**
 * Queues a request without a reply as a job. The process that took it may have died, or Redis has lost it or its reply. Nothing changes
 * while a job with its id waits or runs.
 */
async function queueAgain(
  request: DirectRequest,
  channel: DirectChannel | undefined,
  queueJob: () => Promise<void>,
): Promise<void> {
  await channel?.withdraw(request)
  await queueJob().catch(() => undefined) // Redis is not reachable: the caller fails at its deadline
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function jobOptions(name: JobName, { id, delayMs, priority, forgetFailure }: SendOptions): JobsOptions {
  const { attempts, backoffMs, forgetFailures, sealed } = definitionOf(name)
  return {
    attempts,
    backoff: { type: 'custom', delay: backoffMs },
    removeOnComplete: true,
    removeOnFail: sealed || forgetFailures || forgetFailure ? true : { age: failuresKeptSeconds, count: 10_000 },
    stackTraceLimit: 2,
    ...(id === undefined ? {} : { jobId: id }),
    ...(delayMs === undefined ? {} : { delay: delayMs }),
    ...(priority === undefined ? {} : { priority }),
  }
}
