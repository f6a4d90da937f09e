import type { createTokenSource } from './token.ts'

/** The limits of repeated requests. */
export interface RetryLimits {
  /** How long the client repeats a request, in milliseconds. A longer `Retry-After` is not waited for. */
  maxRetryMs: number
}

const firstPauseMs = 500

/**
 * Returns a `fetch` that adds the token and repeats requests: with a new token after 401, and after 429, 503, and 409 with `Retry-After`.
 * After a lost connection it repeats requests without a file. A POST has an `Idempotency-Key`, so that it creates nothing twice.
 */
export function createSending(
  tokens: ReturnType<typeof createTokenSource>,
  { maxRetryMs }: RetryLimits,
  send: typeof fetch,
): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method === 'POST' && !request.headers.has('Idempotency-Key'))
      request.headers.set('Idempotency-Key', crypto.randomUUID())
    const body = request.body === null ? null : await request.arrayBuffer()
    const isForm = request.headers.get('Content-Type')?.startsWith('multipart/') ?? false
    const endsAt = Date.now() + maxRetryMs
    let hasNewToken = false
    for (let attempt = 0; ; attempt++) {
      const token = await tokens.token()
      const { method, signal, headers } = request
      headers.set('Authorization', `Bearer ${token}`)
      const outcome = await send(request.url, { method, headers, body, signal }).catch((error: unknown) => ({ error }))
      if (outcome instanceof Response && outcome.status === 401 && !hasNewToken) {
        hasNewToken = true
        await tokens.forget(token)
        await outcome.body?.cancel()
        continue
      }
      const pauseMs = pauseAfter(outcome, attempt, !isForm && !signal.aborted)
      if (pauseMs === undefined || Date.now() + pauseMs > endsAt) {
        if (outcome instanceof Response) return outcome
        throw outcome.error
      }
      if (outcome instanceof Response) await outcome.body?.cancel()
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      signal.throwIfAborted()
    }
  }
}

/** Returns the pause before the request is repeated, or undefined if it is not. */
function pauseAfter(
  outcome: Response | { error: unknown },
  attempt: number,
  isRepeatable: boolean,
): number | undefined {
  const ownPauseMs = firstPauseMs * 2 ** attempt * (0.5 + Math.random() / 2)
  if (!(outcome instanceof Response)) return isRepeatable ? ownPauseMs : undefined
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
