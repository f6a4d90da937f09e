import createClient, { type Client } from 'openapi-fetch'
import type { paths } from './api.d.ts'
import type { RetryLimits } from './retries.ts'
import { createSending } from './sending.ts'

interface SessionOptions extends RetryLimits {
  baseUrl: string
  /** Default: a browser adds the cookie. */
  headers?: Record<string, string>
}

/** Creates a client with a session of the console instead of a token. It repeats requests like `createTrustwright`. */
export function createSessionClient({ baseUrl, headers = {}, ...limits }: SessionOptions): Client<paths> {
  return createClient<paths>({
    baseUrl,
    headers,
    fetch: createSending({ limits, send: (...request) => fetch(...request) }),
  })
}
