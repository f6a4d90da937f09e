import { TrustwrightError } from './errors.ts'
import { type RetryLimits, sendWithRetries } from './retries.ts'

export interface Credentials {
  /** The base URL of the tenant or of the platform, such as `https://acme.issuer.example`. */
  baseUrl: string
  clientId: string
  clientSecret: string
}

interface TokenAnswer {
  access_token?: string
  expires_in?: number
  error?: string
  error_description?: string
}

/** A token is replaced this long before it expires. */
const replacedBeforeMs = 60_000

/**
 * Returns a function that returns a valid management token, and one that forgets a token that was refused. Token requests are repeated
 * like all requests, because one creates nothing but a token.
 */
export function createTokenSource(
  { baseUrl, clientId, clientSecret }: Credentials,
  limits: RetryLimits,
  send: typeof fetch,
) {
  let current: Promise<{ token: string; validUntil: number }> | undefined

  async function request() {
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }),
    }
    const response = await sendWithRetries(() => send(new URL('/oauth/token', baseUrl), init), limits)
    // Boundary: the answer of the token endpoint (RFC 6749, sections 5.1 and 5.2). A proxy can answer with something else.
    const body = (await response.json().catch(() => ({}))) as TokenAnswer
    if (!response.ok) throw new TrustwrightError(response, { code: body.error, message: body.error_description })
    if (!body.access_token) throw new Error(`${baseUrl}/oauth/token did not return a token`)
    return {
      token: body.access_token,
      validUntil: Date.now() + (body.expires_in ?? 0) * 1000 - replacedBeforeMs,
    }
  }

  function renew() {
    const requested = request()
    current = requested
    requested.catch(() => {
      if (current === requested) current = undefined
    })
    return requested
  }

  return {
    async token(): Promise<string> {
      const awaited = current
      const latest = await awaited
      if (latest && latest.validUntil > Date.now()) return latest.token
      // Only the first of several requests that find no valid token renews it.
      const renewed = current !== awaited && current ? current : renew()
      return (await renewed).token
    },
    async forget(refused: string): Promise<void> {
      if ((await current)?.token === refused) current = undefined
    },
  }
}
