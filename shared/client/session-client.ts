import createClient, { type Client } from 'openapi-fetch'
import type { paths } from './api.d.ts'
import type { RetryLimits } from './retries.ts'
import { createSending } from './sending.ts'

/** Creates a client for the pages of the console. The browser adds the cookie of the session. It repeats requests like `createTrustwright`. */
export function createSessionClient({ baseUrl, ...limits }: { baseUrl: string } & RetryLimits): Client<paths> {
  return createClient<paths>({ baseUrl, fetch: createSending({ limits, send: (...request) => fetch(...request) }) })
}
