import createClient, { type Client } from 'openapi-fetch'
import type { paths } from './api.d.ts'
import type { RetryLimits } from './retries.ts'
import { createSending } from './sending.ts'
import { type Credentials, createTokenSource } from './token.ts'
import { createWebhookVerifier } from './webhooks.ts'

export type { components, paths } from './api.d.ts'
export { dataOf, TrustwrightError } from './errors.ts'
export { ignoredFieldsOf } from './ignored-fields.ts'
export { itemsOf, pagesOf } from './pages.ts'
export { waitFor } from './wait-for.ts'
export type { ReceivedWebhook, WebhookEvent } from './webhooks.ts'

export interface TrustwrightOptions extends Credentials, Partial<RetryLimits> {
  /** Default: the global `fetch`. */
  fetch?: typeof fetch
}

/** The management API of a tenant: `GET`, `POST`, `PUT` and `DELETE` of openapi-fetch, typed by the OpenAPI document. */
export type ApiClient = Client<paths>

export interface Trustwright extends ApiClient {
  /** Verifies a received webhook and returns its content. Throws an Error for a request that the service did not sign. */
  verifyWebhook: ReturnType<typeof createWebhookVerifier>
}

/**
 * Creates a client for a tenant. Its methods return `{data, error, response}`. `dataOf` returns the data, or throws a `TrustwrightError`.
 * The client requests tokens itself, and repeats requests for up to `maxRetryMs` (default: 30 s).
 */
export function createTrustwright(options: TrustwrightOptions): Trustwright {
  const { baseUrl, maxRetryMs = 30_000, fetch: send = fetch } = options
  const limits = { maxRetryMs }
  const tokens = createTokenSource(options, limits, send)
  const client = createClient<paths>({ baseUrl, fetch: createSending(limits, send, tokens) })
  return Object.assign(client, { verifyWebhook: createWebhookVerifier(baseUrl, send) })
}
