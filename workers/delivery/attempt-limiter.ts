import { tenantDeliveries } from '../../shared/jobs/job-settings.ts'
import { AttemptPostponed } from './attempt-postponed.ts'
import {
  createReceivers,
  expectedWaitMs,
  isAtUnprovenLimit,
  isSlow,
  isUnreliable,
  measure,
  type Receiver,
  type Receivers,
  unreliableShare,
} from './receivers.ts'

/** The concurrent attempts of one process. A tenant has at most a quarter of these slots. */
export const deliverySlots = 4 * tenantDeliveries

/** The interval at which waiting attempts are rejected if their receiver has become slow, or after their deadline. */
const checkEveryMs = 100
/** An attempt that is expected to wait longer is rejected at once. */
const maxExpectedWaitMs = 2_000
/** The time that an attempt waits. A burst of thousands of attempts at one fast receiver ends in this time. */
const deadlineMs = 5_000

export interface AttemptSlot {
  /** Runs the request to the receiver. Duration and status of the answer determine how many slots the receiver gets. */
  measure<Answer extends { status?: number }>(request: () => Promise<Answer>): Promise<Answer>
  release(): void
}

/** Limits concurrent attempts per tenant and receiver. A slow receiver does not use up the slots of others. */
export interface AttemptLimiter {
  /** Waits for a slot. Throws `AttemptPostponed` if the receiver is slow, and if the wait would be or becomes long. */
  acquire(tenantId: string, receiverId: string): Promise<AttemptSlot>
  /** Estimates how many more attempts at a receiver can end within a second. */
  capacity(receiverId: string): number
  /** Rejects all waiting and all later attempts. */
  close(): void
}

export function createAttemptLimiter(): AttemptLimiter {
  const receivers = createReceivers()
  let timer: NodeJS.Timeout | undefined
  let closed = false

  function startAttempt(receiver: Receiver): AttemptSlot {
    receiver.running++
    return {
      measure: (request) => measure(receiver, request),
      release() {
        receiver.running--
        receivers.removeIfIdle(receiver)
        grantSlots(receivers)
      },
    }
  }

  function check(): void {
    const waiting = receivers.waiting()
    const latest = performance.now() - deadlineMs
    for (const receiver of waiting)
      rejectWaiting(receivers, receiver, closed || isSlow(receiver) ? performance.now() : latest)
    if (waiting.length > 0) return
    clearInterval(timer)
    timer = undefined
  }

  function waitForSlot(receiver: Receiver): Promise<AttemptSlot> {
    timer ??= setInterval(check, checkEveryMs)
    return new Promise((resolve, reject) => {
      receiver.waiting.push({
        since: performance.now(),
        grant: () => resolve(startAttempt(receiver)),
        reject: () => reject(new AttemptPostponed(0)),
      })
    })
  }

  return {
    async acquire(tenantId, receiverId) {
      if (closed) throw new AttemptPostponed(0)
      const receiver = receivers.findOrAdd(tenantId, receiverId)
      if (receiver.waiting.length === 0 && hasSlot(receiver, countAttempts(receivers.all())))
        return startAttempt(receiver)
      if (!isSlow(receiver) && expectedWaitMs(receiver) <= maxExpectedWaitMs) return waitForSlot(receiver)
      receivers.removeIfIdle(receiver)
      throw new AttemptPostponed(0)
    },
    capacity: (receiverId) => receivers.capacity(receiverId),
    close() {
      closed = true
      check()
    },
  }
}

/** Grants free slots to waiting attempts. A receiver that got a slot is the last one the next time. */
function grantSlots(receivers: Receivers): void {
  const waiting = receivers.waiting()
  if (waiting.length === 0) return
  const counts = countAttempts(receivers.all())
  for (const receiver of waiting) {
    while (receiver.waiting.length > 0 && hasSlot(receiver, counts)) {
      receiver.waiting.shift()?.grant()
      counts.add(receiver, 1)
      receivers.moveToEnd(receiver)
    }
  }
}

/** Rejects the attempts that wait since this time or longer. */
function rejectWaiting(receivers: Receivers, receiver: Receiver, latest: number): void {
  while (receiver.waiting[0] && receiver.waiting[0].since <= latest) receiver.waiting.shift()?.reject()
  receivers.removeIfIdle(receiver)
}

function hasSlot(receiver: Receiver, { all, ofTenant }: Counts): boolean {
  if (isAtUnprovenLimit(receiver)) return false
  const own = ofTenant.get(receiver.tenantId) ?? { running: 0, unreliable: 0 }
  if (all.running >= deliverySlots || own.running >= tenantDeliveries) return false
  if (!isUnreliable(receiver)) return true
  return all.unreliable < deliverySlots * unreliableShare && own.unreliable < tenantDeliveries * unreliableShare
}

interface Count {
  running: number
  /** The running attempts at unreliable receivers. */
  unreliable: number
}

interface Counts {
  all: Count
  ofTenant: Map<string, Count>
  add(receiver: Receiver, more: number): void
}

/** Counts the running attempts. A sum that is kept would be wrong, because receivers become slow during their attempts. */
function countAttempts(receivers: Iterable<Receiver>): Counts {
  const counts: Counts = {
    all: { running: 0, unreliable: 0 },
    ofTenant: new Map(),
    add(receiver, more) {
      const own = counts.ofTenant.get(receiver.tenantId) ?? { running: 0, unreliable: 0 }
      counts.ofTenant.set(receiver.tenantId, own)
      for (const count of [counts.all, own]) {
        count.running += more
        if (isUnreliable(receiver)) count.unreliable += more
      }
    },
  }
  for (const receiver of receivers) counts.add(receiver, receiver.running)
  return counts
}
