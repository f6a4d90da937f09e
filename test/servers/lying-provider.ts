import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { TestTenant } from '../harness/harness.ts'
import { keepAlive } from '../harness/keep-alive.ts'

/** A provider that gives one false answer at a time. It signs in every user as Eve, without a page. */
export interface LyingProvider {
  /** All answers are right while it is empty. */
  lie: Lie
  /** The number of requests for its metadata. */
  discoveries: number
  [Symbol.asyncDispose](): Promise<void>
}

export interface Lie {
  /** The status of its metadata. */
  discoveryStatus?: number
  /** The claims of its ID tokens. Undefined removes a claim. */
  claims?: Record<string, unknown>
  header?: Record<string, unknown>
  foreignKey?: boolean
  /** The status of its token endpoint. */
  status?: number
  body?: string
  /** The error that it sends to the redirect URI instead of a code. */
  error?: string
}

/** A small OpenID Connect provider on this machine, and the tenant configured with it. */
export async function startLyingProvider(tenant: TestTenant): Promise<LyingProvider> {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const foreign = await generateKeyPair('RS256')
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }]
  let nonce = ''
  const server = createServer(keepAlive, async (request, response) => {
    const url = new URL(request.url ?? '', base)
    const json = (body: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (url.pathname === '/.well-known/openid-configuration') {
      liar.discoveries++
      const { discoveryStatus } = liar.lie
      return discoveryStatus ? response.writeHead(discoveryStatus).end() : json(metadataOf(base))
    }
    if (url.pathname === '/jwks') return json({ keys })
    const { claims, header, foreignKey, status, body, error } = liar.lie
    if (url.pathname === '/authorize') {
      nonce = url.searchParams.get('nonce') ?? ''
      const answer = error === undefined ? 'code=c' : `error=${error}`
      const back = `${url.searchParams.get('redirect_uri')}?${answer}&state=${url.searchParams.get('state')}`
      return response.writeHead(302, { location: back }).end()
    }
    if (body !== undefined) return response.writeHead(status ?? 200, { 'content-type': 'application/json' }).end(body)
    const now = Math.floor(Date.now() / 1000)
    const claimed = { iss: base, sub: 'eve', aud: 'liar', nonce, iat: now, exp: now + 300, ...claims }
    const idToken = await new SignJWT(JSON.parse(JSON.stringify(claimed)))
      .setProtectedHeader({ alg: 'RS256', kid: 'one', ...header })
      .sign(foreignKey ? foreign.privateKey : privateKey)
    return json({ access_token: 'a', token_type: 'Bearer', id_token: idToken })
  })
  const liar: LyingProvider = {
    lie: {},
    discoveries: 0,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const base = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  const settings = { url: base, scope: ['openid'], clientId: 'liar', clientSecret: 'secret' }
  const { status } = await tenant.operator.post('/v1/users/authentication-providers', settings)
  if (status !== 201) throw new Error(`provider: ${status}`)
  return liar
}

function metadataOf(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  }
}
