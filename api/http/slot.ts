import type { ServerResponse } from 'node:http'
import { Gauge, Histogram } from 'prom-client'
import { Problem } from '../../shared/errors/errors.ts'
import type { Admission, Admitted } from './admission.ts'

const requestsWaiting = new Gauge({
  name: 'trustwright_http_requests_waiting',
  help: 'Requests to this process that wait for a slot.',
})

const waitDuration = new Histogram({
  name: 'trustwright_http_request_wait_seconds',
  help: 'How long requests waited for a slot. Requests that got one at once are not counted.',
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
})

/** The slot of one request in the admission. */
export interface Slot {
  /**
   * Takes the slot. Returns undefined if the request has it at once, and otherwise a promise that settles when it has the slot. Throws or
   * rejects with `service_unavailable` if too many requests wait, and if the client disconnects or the request ends before it has the slot.
   */
  take(tenantId: string): Promise<void> | undefined
  /** Gives the slot back until `work` of another process or host has settled. The request then continues at once. */
  releaseDuring<Result>(work: Promise<Result>): Promise<Result>
  /** Gives the slot back until the client has sent what `reading` reads. The request then waits for a slot again. */
  releaseWhileReading<Result>(reading: Promise<Result>): Promise<Result>
  /** Gives the slot back. Every request must call it when it ends. Repeated calls do nothing. */
  end(): void
}

/** Wins a race against work that has not settled. */
const isPending = Symbol('pending')
const pending = Promise.resolve(isPending)

export function createSlot(admission: Admission, response: ServerResponse): Slot {
  let mine: Admitted | undefined
  let stopWaiting: (() => void) | undefined
  let waitsOutside = 0
  let isEnded = false

  function take(tenantId: string): Promise<void> | undefined {
    if (isEnded) throw unavailable('The request has ended')
    const request = { tenantId, weight: 1, isUnderWay: false, admit() {} }
    if (!admission.add(request)) throw unavailable('Too many requests wait for a slot')
    mine = request
    return request.isUnderWay ? undefined : untilAdmitted(request)
  }

  async function untilAdmitted(request: Admitted): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    request.admit = resolve
    stopWaiting = () => reject(unavailable('The request ended while it waited for a slot'))
    response.once('close', stopWaiting)
    try {
      await observeWait(promise)
    } catch (error) {
      admission.release(request)
      throw error
    } finally {
      response.off('close', stopWaiting)
      stopWaiting = undefined
    }
  }

  return {
    take,
    async releaseDuring(work) {
      const request = mine
      if (!request || isEnded) return work
      // Cached work has often settled. The request then needs no wait and keeps its slot.
      const settled = await Promise.race([work, pending])
      if (settled !== isPending || isEnded) return work
      if (waitsOutside++ === 0) admission.release(request)
      try {
        return await work
      } finally {
        if (--waitsOutside === 0 && !isEnded) admission.resume(request)
      }
    },
    async releaseWhileReading(reading) {
      if (!mine || isEnded) return reading
      admission.release(mine)
      const received = await reading
      await take(mine.tenantId)
      return received
    },
    end() {
      isEnded = true
      stopWaiting?.()
      if (mine) admission.release(mine)
    },
  }
}

/** Counts a request as waiting until it is admitted, and observes how long it waited. */
async function observeWait(admitted: Promise<void>): Promise<void> {
  const since = performance.now()
  requestsWaiting.inc()
  try {
    await admitted
  } finally {
    requestsWaiting.dec()
    waitDuration.observe((performance.now() - since) / 1000)
  }
}

function unavailable(reason: string): Problem {
  return new Problem('service_unavailable', { reason })
}
