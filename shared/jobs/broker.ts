import type { Processor, Worker, WorkerOptions } from 'bullmq'
import type { Clock } from '../clock.ts'
import type { Log } from '../log/log.ts'
import type { Bus } from './bus.ts'
import type { Reply } from './completions.ts'
import type { QueueName } from './definition.ts'
import type { KeyProviderState, ProcessState } from './heartbeat.ts'
import type { JobData } from './job-data.ts'

/**
 * The system that stores the queues. A process opens one bus of it. The parts for workers have connections of their own, because they wait for
 * the end of an outage, or block.
 */
export interface Broker {
  /**
   * Waits until the broker answers, as long as it takes. Throws Misconfigured if waiting does not help. Queues in the database are checked after
   * `database`, which checks the database, so that only that check names its faults.
   */
  waitUntilReachable(log: Log, database: Promise<void>): Promise<void>
  /** Opens a bus that may not be connected yet, for a process that answers requests before the broker is reachable. */
  openBus(): Bus
  openConsumer(queue: QueueName): Consumer
  /** Calls `wake` after a poke of any process. A poke can be lost, so the caller polls as well. */
  subscribeToPokes(wake: () => void): PokeSubscription
  /** `failFast` is for one report of a process that ends. Otherwise the reports wait for the end of an outage. */
  openHeartbeats(options?: { failFast: boolean }): Heartbeats
  /** Opens the list over which processes of all machines send direct requests. Undefined if all processes run on one machine. */
  openRequestList(queue: QueueName): RequestList | undefined
}

/** Takes jobs of one queue. */
export interface Consumer {
  createWorker(processor: Processor<JobData>, options: ConsumerOptions): Worker<JobData>
  /** Sends the outcome of a job to the process that waits for it on the channel. */
  reply(channel: string, reply: Reply): Promise<void>
  disconnect(): void
}

export type ConsumerOptions = Pick<
  WorkerOptions,
  'concurrency' | 'lockDuration' | 'maxStalledCount' | 'settings' | 'stalledInterval'
>

/** The side of a signing process that takes direct requests from a list. */
export interface RequestList {
  /** Tells callers that a process listens, for `directListenerLeaseMs`. */
  renewLease(): Promise<void>
  /** Tells callers that this process does not listen. */
  endLease(): Promise<void>
  /** Waits for requests for some seconds. Removes and returns at most `max`, as texts. */
  take(max: number): Promise<string[]>
  /** Ends the wait of `take`. Later calls do not wait. */
  endWait(): Promise<void>
  /** Sends the answer to the process that waits for it on the channel. */
  reply: Consumer['reply']
  disconnect(): void
}

export interface PokeSubscription {
  /** Rejects if the broker refuses the subscription. */
  subscribed: Promise<void>
  close(): void
}

/** Reports the processes that run. */
export interface Heartbeats {
  /** Resolves when the broker is reached. Rejects if the first attempt fails. */
  reached: Promise<void>
  isReachable(): boolean
  write(id: string, state: ProcessState, clock: Clock, keyProviders?: KeyProviderState[]): Promise<void>
  /** Removes the entry of a process that ends. */
  remove(id: string): Promise<void>
  /** Removes the entries of processes that have ended and, with `withClosed`, of those that could not open keys. */
  removeEnded(options: { withClosed: boolean }): Promise<void>
  close(): void
}
