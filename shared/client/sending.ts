import { type RetryLimits, sendWithRetries } from './retries.ts'
import type { createTokenSource } from './token.ts'

/**
 * Returns a `fetch` that adds the token and repeats requests, also with a new token after 401. Without `tokens` a cookie authenticates.
 * It repeats a sign-in only after a response. A POST has an `Idempotency-Key`, so that it creates nothing twice.
 */
export function createSending(
  limits: RetryLimits,
  send: typeof fetch,
  tokens?: ReturnType<typeof createTokenSource>,
): (request: Request) => Promise<Response> {
  // A signal ends the reading of a body only while its `Request` exists, so that each body keeps its request.
  const requests = new WeakMap<ReadableStream, Request>()
  return async (request) => {
    const { method, signal, headers, url, cache, redirect } = request
    if (method === 'POST' && !headers.has('Idempotency-Key')) headers.set('Idempotency-Key', newIdempotencyKey())
    // Firefox has no `request.body`.
    const bytes = await request.arrayBuffer()
    const body = bytes.byteLength === 0 ? null : bytes
    // The sign-ins ignore the key, and a code is valid once.
    const isSignIn = method === 'POST' && new URL(url).pathname.startsWith('/console/')
    let hasNewToken = false

    async function attempt(): Promise<Response> {
      const token = await tokens?.token()
      if (token !== undefined) headers.set('Authorization', `Bearer ${token}`)
      const response = await send(url, { method, headers, body, signal, cache, redirect })
      if (!tokens || token === undefined || response.status !== 401 || hasNewToken) return response
      hasNewToken = true
      await tokens.forget(token)
      await response.body?.cancel()
      return attempt()
    }
    const response = await sendWithRetries(attempt, limits, { isRepeatable: !isSignIn, signal })
    if (response.body) requests.set(response.body, request)
    return response
  }
}

/** Returns a random key. Browsers have `crypto.randomUUID` only in pages with TLS. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
