import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestList } from '../../shared/jobs/broker.ts'
import type { Bus } from '../../shared/jobs/bus.ts'
import { readStoredRequest } from '../../shared/jobs/direct-requests.ts'
import { renewListenerMs } from '../../shared/jobs/listener-lease.ts'
import type { ServeOptions } from '../serve.ts'
import { openPayload, reply, resultOf } from './job-content.ts'
import { runDirectRequest } from './run-direct-request.ts'

export interface DirectAnswerOptions
  extends Pick<ServeOptions, 'queue' | 'handlers' | 'secrets' | 'log' | 'concurrency'> {
  list: RequestList
  bus: Pick<Bus, 'addJob'>
}

const retryPauseMs = 500

/**
 * Answers the direct requests of a list that processes of all machines use. A request is tried once. If it fails, it becomes a job with the
 * retries of jobs.
 */
export function answerDirectRequests(options: DirectAnswerOptions): { stop(): Promise<void> } {
  const { list, concurrency } = options
  const running = new Set<Promise<void>>()
  let stopped = false

  async function listen(): Promise<void> {
    while (!stopped) {
      const texts = await list.take(concurrency - running.size).catch(pauseAfterError)
      for (const text of texts) {
        const answering = answer(options, text).finally(() => running.delete(answering))
        running.add(answering)
      }
      if (running.size >= concurrency) await Promise.race(running)
    }
    await Promise.all(running)
  }

  async function pauseAfterError(): Promise<string[]> {
    if (!stopped) await sleep(retryPauseMs)
    return []
  }

  // If the lease expires, clients queue jobs instead.
  const renewLease = () => void list.renewLease().catch(() => undefined)
  renewLease()
  const timer = setInterval(renewLease, renewListenerMs)
  const listened = listen()
  return {
    async stop() {
      clearInterval(timer)
      stopped = true
      list.endLease().catch(() => undefined)
      await list.endWait()
      await listened
    },
  }
}

async function answer(options: DirectAnswerOptions, text: string): Promise<void> {
  const { queue, list, secrets, log, bus } = options
  const request = readStoredRequest(text)
  if (!request) {
    log.error({ queue, bytes: text.length }, 'unreadable direct request dropped')
    return
  }
  const { id, name, data } = request
  try {
    await runDirectRequest(options, {
      id,
      name,
      open: (job) => openPayload(job, data, secrets),
      respond: (job, returned) =>
        reply(list, { id, replyTo: data.replyTo }, { result: resultOf(job, returned, secrets) }),
    })
  } catch {
    // If the broker is unavailable, the client queues the job after its timeout.
    await bus.addJob(request).catch(() => undefined)
  }
}
