import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { keepAlive } from '../harness/keep-alive.ts'

/** A server in the documented form of Keycloak 26, with the realm `citizens` and the person `ada`. */
export interface Keycloak {
  /** The address without the realm. */
  origin: string
  /** The number of tokens that it gave. */
  tokens: number
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts the server. Its tokens are for this audience, and have the scopes of their request. */
export async function startKeycloak(audience: string): Promise<Keycloak> {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'realm-key', use: 'sig', alg: 'RS256' }
  const http = createServer(keepAlive, async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const form = new URLSearchParams(Buffer.concat(parts).toString())
    const issuer = `${server.origin}/realms/citizens`
    const endpoint = `${issuer}/protocol/openid-connect`
    const answers: Record<string, () => object | Promise<object>> = {
      '/.well-known/openid-configuration': () => ({
        ...{ issuer, jwks_uri: `${endpoint}/certs`, token_endpoint: `${endpoint}/token` },
        ...{ authorization_endpoint: `${endpoint}/auth`, response_types_supported: ['code'] },
      }),
      '/protocol/openid-connect/certs': () => ({ keys: [jwk] }),
      '/protocol/openid-connect/token': async () => {
        server.tokens++
        return { access_token: await tokenFor(issuer, form), token_type: 'Bearer', expires_in: 300 }
      },
    }
    const answer = answers[(request.url ?? '').replace('/realms/citizens', '')]
    if (!answer) return response.writeHead(404).end()
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(await answer()))
  })
  /** Returns an access token with the claims that Keycloak documents. */
  function tokenFor(iss: string, form: URLSearchParams): Promise<string> {
    const person = { sub: 'f1a3', preferred_username: form.get('username'), given_name: 'Ada', family_name: 'Lovelace' }
    const claims = { iss, aud: [audience, 'account'], typ: 'Bearer', azp: form.get('client_id'), sid: 'a-session' }
    return new SignJWT({ ...claims, ...person, scope: form.get('scope'), acr: '1', jti: crypto.randomUUID() })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: jwk.kid })
      .setIssuedAt()
      .setExpirationTime('5 minutes')
      .sign(privateKey)
  }
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const address = http.address()
  const server: Keycloak = {
    origin: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    tokens: 0,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
  return server
}
