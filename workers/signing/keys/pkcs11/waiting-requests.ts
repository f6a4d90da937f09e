import { KeyProviderUnavailable } from '../provider.ts'
import type { RequestToToken, TokenValue } from './messages.ts'

/** A request that waits for the token, or for its answer. */
export interface WaitingRequest {
  request: RequestToToken
  /** The number of times that it was sent. */
  attempts: number
  resolve(value: TokenValue): void
  reject(error: Error): void
}

/** The requests that wait for the token, first in, first out. */
export interface WaitingRequests {
  /** Settles at the deadline at the latest. Throws KeyProviderUnavailable then, and if too many requests wait. */
  add(request: RequestToToken, withinMs: number): Promise<TokenValue>
  take(): WaitingRequest | undefined
  /** Makes a request the next one again, unless its deadline has passed. */
  putBack(entry: WaitingRequest): void
  rejectAll(error: Error): void
}

const maxWaiting = 10_000

export function createWaitingRequests(): WaitingRequests {
  /** A request leaves the set when it is taken, and at its deadline. */
  const waiting = new Set<WaitingRequest>()
  /** Requests that were sent to a process that has ended. */
  const repeated = new Set<WaitingRequest>()
  const settled = new WeakSet<WaitingRequest>()

  function add(request: RequestToToken, withinMs: number): Promise<TokenValue> {
    if (waiting.size >= maxWaiting)
      return Promise.reject(new KeyProviderUnavailable('Too many requests wait for the token.'))
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer)
        settled.add(entry)
        waiting.delete(entry)
        repeated.delete(entry)
      }
      const entry: WaitingRequest = {
        request,
        attempts: 0,
        resolve(value) {
          settle()
          resolve(value)
        },
        reject(error) {
          settle()
          reject(error)
        },
      }
      const late = () => entry.reject(new KeyProviderUnavailable('The token did not answer in time.'))
      const timer = setTimeout(late, withinMs)
      waiting.add(entry)
    })
  }

  return {
    add,
    take() {
      const group = repeated.size > 0 ? repeated : waiting
      const [entry] = group
      if (entry) group.delete(entry)
      return entry
    },
    putBack(entry) {
      if (!settled.has(entry)) repeated.add(entry)
    },
    rejectAll(error) {
      for (const entry of [...repeated, ...waiting]) entry.reject(error)
    },
  }
}
