import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import Provider, { type JWK } from 'oidc-provider'
import { keepAlive } from '../harness/keep-alive.ts'

/** A real authorization server with access tokens of RFC 9068, whose people choose their name as `newBrowser` does. */
export interface OidcTokenServer {
  issuer: string
  clientId: string
  redirectUri: string
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts a server for one resource with these scopes. */
export async function startOidcTokenServer(resource: string, scope: string): Promise<OidcTokenServer> {
  const http = createServer(keepAlive)
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const address = http.address()
  const issuer = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  const [clientId, redirectUri] = ['wallet', 'http://127.0.0.1:4711/callback']
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  // Boundary: Node and the library have types of their own for keys.
  const key = { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'one' } as unknown as JWK
  const provider: Provider = new Provider(issuer, {
    clients: [
      {
        ...{ client_id: clientId, redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' },
        id_token_signed_response_alg: 'ES256',
      },
    ],
    scopes: ['openid', ...scope.split(' ')],
    jwks: { keys: [key] },
    cookies: { keys: [randomUUID()] },
    ttl: { Interaction: 3600, Grant: 3600, Session: 3600, AccessToken: 300, IdToken: 300, AuthorizationCode: 60 },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({
          ...{ scope, audience: resource, accessTokenFormat: 'jwt' as const },
          jwt: { sign: { alg: 'ES256' as const } },
        }),
      },
    },
    interactions: { url: (_ctx, { uid }) => `/sign-in/${uid}` },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: async () => ({ sub }) }),
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId })
      grant.addOIDCScope(`openid ${scope}`)
      grant.addResourceScope(resource, scope)
      await grant.save()
      return grant
    },
  })
  provider.use(async (ctx, next) => {
    if (!ctx.path.startsWith('/sign-in/')) return next()
    const login = { accountId: String(ctx.query.as) }
    if (ctx.method === 'POST') await provider.interactionFinished(ctx.req, ctx.res, { login })
    else ctx.body = 'Who are you?'
    if (ctx.method === 'POST') ctx.respond = false
    return undefined
  })
  http.on('request', provider.callback())
  return {
    ...{ issuer, clientId, redirectUri },
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}
