import { setTimeout as sleep } from 'node:timers/promises'
import { findProblem } from '../shared/errors.ts'
import { type Bus, queuePrefix } from '../shared/jobs/bus.ts'
import {
  directRequestsKey,
  listenerKey,
  listenerLeaseMs,
  readDirectRequest,
  renewListenerMs,
} from '../shared/jobs/direct-requests.ts'
import { isJobName } from '../shared/jobs/registry.ts'
import type { Attempt } from './handlers.ts'
import { openPayload, reply, resultOf } from './job-content.ts'
import { type JobOutcome, jobDuration } from './metrics.ts'
import type { ServeOptions } from './serve.ts'

export interface DirectAnswerOptions
  extends Pick<
    ServeOptions,
    'queue' | 'handlers' | 'connection' | 'replies' | 'prefix' | 'secrets' | 'log' | 'concurrency'
  > {
  bus: Pick<Bus, 'addJob'>
}

/** How long one look at an empty list takes: a connection that is dead without a word is noticed by then. */
const lookSeconds = 5
const restMs = 500

/** A direct request is tried once. A job takes over if it fails. */
const firstAttempt: Attempt = { number: 1, isLast: false, isRepeated: false, starts: 1, interruptedStarts: 0 }

/**
 * Answers what is asked over a queue's list (shared/jobs/direct-requests.ts), once: what fails becomes a job, which is retried as jobs
 * are. `connection` waits for the list and does nothing else.
 */
export function answerDirectRequests(options: DirectAnswerOptions): { stop(): Promise<void> } {
  const { queue, connection, replies, prefix, concurrency } = options
  const [asks, listening] = [directRequestsKey(queuePrefix(prefix, queue)), listenerKey(queuePrefix(prefix, queue))]
  const underWay = new Set<Promise<void>>()
  let stopped = false
  /** Redis's own name of the connection that waits. */
  let id: number | undefined

  async function listen(): Promise<void> {
    while (!stopped) {
      id ??= await connection.client('ID').catch(() => undefined)
      // Nobody ends a wait that begins now.
      if (stopped) break
      const taken = await connection.blpop(asks, lookSeconds).catch(rest)
      if (!taken) continue
      const answering = answer(options, taken[1]).finally(() => underWay.delete(answering))
      underWay.add(answering)
      if (underWay.size >= concurrency) await Promise.race(underWay)
    }
    await Promise.all(underWay)
  }

  connection.on('close', () => {
    id = undefined
  })

  /** While Redis is away, or refuses. */
  async function rest(): Promise<null> {
    if (!stopped) await sleep(restMs)
    return null
  }

  const say = () => void replies.set(listening, '1', 'PX', listenerLeaseMs).catch(() => undefined) // silence is the signal
  say()
  const timer = setInterval(say, renewListenerMs)
  const listened = listen()
  return {
    async stop() {
      clearInterval(timer)
      stopped = true
      // Others who listen say so again within a second.
      replies.del(listening).catch(() => undefined)
      // Ends the wait without losing what the list gives out in this moment; from a Redis that is away nothing comes.
      if (connection.status !== 'ready') connection.disconnect()
      else if (id !== undefined) await replies.client('UNBLOCK', id).catch(() => undefined)
      await listened
    },
  }
}

async function answer(options: DirectAnswerOptions, text: string): Promise<void> {
  const { queue, handlers, replies, secrets, log, bus } = options
  const ask = readDirectRequest(text)
  if (!ask) {
    log.error({ queue, bytes: text.length }, 'an entry of the list is no request of this service and was dropped')
    return
  }
  const { id, name, data } = ask
  const startedAt = performance.now()
  const stop = (outcome: JobOutcome) => {
    // What another version asks for is no name of ours.
    if (isJobName(name)) jobDuration.observe({ queue, job: name, outcome }, (performance.now() - startedAt) / 1000)
  }
  try {
    const handler = handlers[name]
    if (!handler || !isJobName(name)) throw new Error(`no handler for ${name}`)
    const returned = await handler(openPayload(name, data, secrets), firstAttempt)
    await reply(replies, { id, replyTo: data.replyTo }, { result: resultOf(name, returned, secrets) })
    stop('done')
  } catch (err) {
    stop('postponed')
    const problem = findProblem(err)
    // The job answers the same to a client that asked for what cannot be.
    if (problem && problem.status < 500)
      log.debug({ queue, job: name, jobId: id, problem: problem.code }, 'ask refused')
    else log.info({ err, queue, job: name, jobId: id }, 'what was asked became a job')
    // Redis is away: who waits does the same.
    await bus.addJob(ask).catch(() => undefined)
  }
}
