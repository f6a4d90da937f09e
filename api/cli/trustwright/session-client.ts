import createClient from 'openapi-fetch'
import type { ApiClient, paths } from '../../../shared/client/client.ts'
import type { RetryLimits } from '../../../shared/client/retries.ts'
import { createSending } from '../../../shared/client/sending.ts'

interface SessionOptions extends RetryLimits {
  baseUrl: string
  /** The value of the header `Cookie`. Absent before the sign-in. */
  cookie?: string
  /** Default: the global `fetch`. */
  fetch?: typeof fetch
}

/** Creates a client with a session of the console instead of a token. */
export function createSessionClient({ baseUrl, cookie, maxRetryMs, fetch: send = fetch }: SessionOptions): ApiClient {
  const headers = { ...(cookie !== undefined && { Cookie: cookie, 'X-Console': '1' }) }
  return createClient<paths>({ baseUrl, headers, fetch: createSending({ maxRetryMs }, send) })
}
