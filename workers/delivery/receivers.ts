import { LRUCache } from 'lru-cache'
import { tenantDeliveries } from '../../shared/jobs/job-settings.ts'
import { isDelivered } from './schedule.ts'

/** The share of slots for receivers that are slow or have not succeeded: of all slots, and of the slots of a tenant. */
export const unreliableShare = 3 / 4
/** The slots of a receiver whose last answer was no success, or that has not answered yet. */
const unprovenSlots = 4

/** A receiver is slow if its average, or its longest current attempt, is above this duration. */
const slowMs = 300
/** The weight of the last answer in the average is one part of this number. */
const averageOver = 8
const maxPerSecond = 500
const maxHistories = 10_000

export interface Receiver {
  id: string
  tenantId: string
  running: number
  /** The waiting attempts in their order. `since` is by `performance.now()`. */
  waiting: { since: number; grant(): void; reject(): void }[]
  /** The start times of requests without an answer, the oldest first. */
  requests: Set<{ at: number }>
  history: History
}

interface History {
  averageMs: number
  /** The last answer was a success. */
  isProven: boolean
}

const noHistory: History = { averageMs: 0, isProven: false }

/** The receivers with running or waiting attempts, and the histories of recent receivers. */
export interface Receivers {
  findOrAdd(tenantId: string, id: string): Receiver
  removeIfIdle(receiver: Receiver): void
  /** The receivers with running or waiting attempts, the one that gets the next slot first. */
  all(): Iterable<Receiver>
  waiting(): Receiver[]
  moveToEnd(receiver: Receiver): void
  /** Estimates how many more attempts can end within a second. */
  capacity(id: string): number
}

export function createReceivers(): Receivers {
  const histories = new LRUCache<string, History>({ max: maxHistories })
  const busy = new Map<string, Receiver>()

  return {
    findOrAdd(tenantId, id) {
      const busyReceiver = busy.get(id)
      if (busyReceiver) return busyReceiver
      const history = histories.get(id) ?? { ...noHistory }
      const receiver = { id, tenantId, running: 0, waiting: [], requests: new Set<{ at: number }>(), history }
      histories.set(id, history)
      busy.set(id, receiver)
      return receiver
    },
    removeIfIdle({ id, running, waiting }) {
      if (running === 0 && waiting.length === 0) busy.delete(id)
    },
    all: () => busy.values(),
    waiting: () => [...busy.values()].filter(({ waiting }) => waiting.length > 0),
    moveToEnd(receiver) {
      busy.delete(receiver.id)
      busy.set(receiver.id, receiver)
    },
    capacity(id) {
      const history = histories.get(id) ?? noHistory
      const { running = 0, waiting = [] } = busy.get(id) ?? {}
      const { isProven, averageMs } = history
      const perSecond = isProven ? (slotsOf(history) * 1_000) / Math.max(averageMs, 1) : 4 * unprovenSlots
      return Math.max(0, Math.ceil(Math.min(perSecond, maxPerSecond)) - running - waiting.length)
    },
  }
}

export function isSlow({ history, requests }: Receiver): boolean {
  const [oldest] = requests
  return history.averageMs > slowMs || (oldest !== undefined && performance.now() - oldest.at > slowMs)
}

/** Returns whether attempts at this receiver may take long. */
export function isUnreliable(receiver: Receiver): boolean {
  return !receiver.history.isProven || isSlow(receiver)
}

/** Returns whether an unproven receiver has all its slots. */
export function isAtUnprovenLimit({ history, running }: Receiver): boolean {
  return !history.isProven && running >= unprovenSlots
}

/** Estimates the wait of one more attempt at this receiver. */
export function expectedWaitMs({ waiting, history }: Receiver): number {
  return (waiting.length * history.averageMs) / slotsOf(history)
}

function slotsOf({ isProven, averageMs }: History): number {
  if (!isProven) return unprovenSlots
  return averageMs > slowMs ? tenantDeliveries * unreliableShare : tenantDeliveries
}

/** Runs a request and updates the history of its receiver. */
export async function measure<Answer extends { status?: number }>(
  { requests, history }: Receiver,
  request: () => Promise<Answer>,
): Promise<Answer> {
  const started = { at: performance.now() }
  requests.add(started)
  try {
    const answer = await request()
    history.isProven = isDelivered(answer.status)
    return answer
  } finally {
    requests.delete(started)
    history.averageMs += (performance.now() - started.at - history.averageMs) / averageOver
  }
}
