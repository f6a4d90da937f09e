import { TrustwrightError } from './errors.ts'

/** The limits of repeated requests. */
export interface RetryLimits {
  /** The time that the client repeats a request, in milliseconds. A longer `Retry-After` is not waited for. */
  maxRetryMs: number
}

interface Repeatable {
  /** Whether the request can be sent again after a lost connection. */
  isRepeatable?: boolean
  signal?: AbortSignal
}

const firstPauseMs = 500

/**
 * Sends a request, and repeats it after 429, 503, 409 with `Retry-After`, and a lost connection. Waits as long as `Retry-After` says,
 * otherwise 0.5 s and then twice as long each time.
 */
export async function sendWithRetries(
  send: () => Promise<Response>,
  { maxRetryMs }: RetryLimits,
  { isRepeatable = true, signal }: Repeatable = {},
): Promise<Response> {
  const endsAt = Date.now() + maxRetryMs
  for (let attempt = 0; ; attempt++) {
    const outcome = await send().catch((error: unknown) => ({ error }))
    const pauseMs = pauseAfter(outcome, attempt, isRepeatable && !signal?.aborted)
    if (pauseMs === undefined || Date.now() + pauseMs > endsAt) {
      if (outcome instanceof Response) return outcome
      throw outcome.error
    }
    if (outcome instanceof Response) await outcome.body?.cancel()
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    signal?.throwIfAborted()
  }
}

/** Returns the pause before the request is repeated, or undefined if it is not. */
function pauseAfter(
  outcome: Response | { error: unknown },
  attempt: number,
  isRepeatable: boolean,
): number | undefined {
  const ownPauseMs = firstPauseMs * 2 ** attempt * (0.5 + Math.random() / 2)
  // A refused token request has been repeated before it became an error.
  if (!(outcome instanceof Response))
    return isRepeatable && !(outcome.error instanceof TrustwrightError) ? ownPauseMs : undefined
  const asked = retryAfterMs(outcome.headers.get('Retry-After'))
  if (outcome.status === 409) return asked
  return outcome.status === 429 || outcome.status === 503 ? (asked ?? ownPauseMs) : undefined
}

/** RFC 9110, section 10.2.3: seconds or a date. */
function retryAfterMs(value: string | null): number | undefined {
  if (value === null) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
