import { z } from 'zod'
import type { ClaimSourceRow } from '../../../db/repos/issuance/claim-sources.ts'
import { plusMs } from '../../../shared/clock.ts'
import { OutboundError } from '../../../shared/outbound/outbound-error.ts'
import { bodyText } from '../../../shared/outbound/text-of.ts'
import type { Deps } from '../../deps.ts'
import { defineCache } from '../../process/caches.ts'
import { ClaimSourceError } from './claim-source-error.ts'
import type { Authorization } from './schemas.ts'

type ClientCredentials = Extract<Authorization, { type: 'oauth-client-credentials' }>['value']

const maxResponseBytes = 50_000
/** Renews a token before it expires, because it may expire in transit. */
const earlierMs = 10_000
const maxMs = 24 * 3_600_000

interface CachedAccessToken {
  token: Promise<string>
  /** Undefined until the token has arrived. In the past if the token's lifetime is unknown. */
  expiresAt: Date | undefined
}

/** Access tokens for claim sources, by claim source and credentials. */
const accessTokensCache = defineCache<string, CachedAccessToken>('accessTokens', { max: 1_000 })

/**
 * Returns an access token for the source (RFC 6749, section 4.4), cached until it expires. Rejects if the token
 * endpoint issues none in time.
 */
export async function accessTokenFor(
  deps: Deps,
  source: ClaimSourceRow,
  credentials: ClientCredentials,
  timeoutMs: number,
): Promise<string> {
  const cache = deps.caches.of(accessTokensCache)
  const key = keyOf(source)
  const earlier = cache.get(key)
  if (earlier && (earlier.expiresAt === undefined || earlier.expiresAt > deps.clock.now()))
    return deps.withoutSlot(earlier.token)
  const requested: CachedAccessToken = {
    expiresAt: undefined,
    token: requestToken(deps, credentials, timeoutMs).then(({ token, expiresAt }) => {
      requested.expiresAt = expiresAt
      return token
    }),
  }
  cache.set(key, requested)
  requested.token.catch(() => cache.peek(key) === requested && cache.delete(key))
  return deps.withoutSlot(requested.token)
}

/** Removes the cached token after the source refused it. The next call requests a new token. */
export function forgetAccessToken(deps: Deps, source: ClaimSourceRow): void {
  deps.caches.of(accessTokensCache).delete(keyOf(source))
}

/** Identifies the token by the credentials it was issued for. A changed source therefore requests a new token. */
function keyOf({ id, sealedAuthorization }: ClaimSourceRow): string {
  return `${id} ${sealedAuthorization}`
}

/** RFC 6749, section 5.1. */
const TokenResponse = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]{1,10000}$/),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.coerce.number().min(0).catch(0),
})

async function requestToken(deps: Deps, credentials: ClientCredentials, timeoutMs: number) {
  const { tokenUrl, clientId, clientSecret, scope } = credentials
  const requestedAt = deps.clock.now()
  const form = { grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) }
  const answer = deps.outbound.request({
    method: 'POST',
    url: tokenUrl,
    headers: {
      accept: 'application/json',
      authorization: `Basic ${Buffer.from(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams(form).toString(),
    timeoutMs,
    maxResponseBytes,
  })
  // Reports a failure of the token endpoint separately from a failure of the source.
  const { status, body } = await answer.catch((error: unknown) => {
    throw error instanceof OutboundError ? new ClaimSourceError('no_token', error.message, { cause: error }) : error
  })
  const parsed = TokenResponse.safeParse(status === 200 ? jsonOf(body) : undefined)
  if (!parsed.success) throw new ClaimSourceError('no_token', `status ${status}`)
  const { access_token: token, expires_in: expiresIn } = parsed.data
  return { token, expiresAt: plusMs(requestedAt, Math.min(expiresIn * 1000, maxMs) - earlierMs) }
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(bodyText(body))
  } catch {
    return undefined
  }
}

/** RFC 6749, section 2.3.1: both parts are form-encoded before Basic encoding. */
function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1)
}
