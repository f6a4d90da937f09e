import { createServer } from 'node:http'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { keepAlive } from '../harness/keep-alive.ts'

/** An authorization server on this machine that signs what a test tells it to sign. */
export interface TokenServer {
  issuer: string
  /** Replaces members of the discovery document. Undefined removes a member. */
  metadata: Record<string, unknown>
  /** The path of the discovery document. */
  discoveryPath: string
  /** Whether it answers each request with status 503. */
  isDown: boolean
  /** The answers of the introspection endpoint and the UserInfo endpoint. */
  introspection: Record<string, unknown>
  userInfo: Record<string, unknown>
  /** The requests that it received, newest last: the path and the body. */
  requests: { path: string; body: string; authorization: string | undefined }[]
  /** Signs an access token of RFC 9068 with its newest key. Undefined removes a claim or a member of the header. */
  token(claims?: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>
  /** Adds a key, which signs from now on, and removes all older ones. */
  rotate(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Claims of an access token of Keycloak 26, as its documentation shows them. The header of such a token has the `typ` JWT. */
export const keycloakClaims = {
  ...{ typ: 'Bearer', azp: 'wallet', client_id: undefined, sid: 'a-session', acr: '1' },
  ...{ realm_access: { roles: ['default-roles-city'] }, preferred_username: 'ada', email_verified: true },
}

interface Key {
  kid: string
  jwk: JWK
  privateKey: CryptoKey
}

/** Starts a server whose tokens are for this audience. The times of its tokens are those of `now`. */
export async function startTokenServer(audience: string, now: () => Date = () => new Date()): Promise<TokenServer> {
  let key = await newKey('key-1')
  let keyCount = 1
  const http = createServer(keepAlive, async (request, response) => {
    const { pathname } = new URL(request.url ?? '', issuer)
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const body = Buffer.concat(parts).toString()
    server.requests.push({ path: pathname, body, authorization: request.headers.authorization })
    const json = (content: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(content))
    if (server.isDown) return response.writeHead(503).end()
    if (pathname === server.discoveryPath) return json({ ...metadataOf(issuer), ...server.metadata })
    if (pathname === '/jwks') return json({ keys: [{ ...key.jwk, kid: key.kid, use: 'sig', alg: 'ES256' }] })
    if (pathname === '/introspect') return json(server.introspection)
    if (pathname === '/userinfo') return json(server.userInfo)
    return response.writeHead(404).end()
  })
  const server: TokenServer = {
    issuer: '',
    metadata: {},
    discoveryPath: '/.well-known/openid-configuration',
    isDown: false,
    introspection: { active: false },
    userInfo: {},
    requests: [],
    token(claims = {}, header = {}) {
      const seconds = Math.floor(now().getTime() / 1000)
      const times = { iat: seconds, exp: seconds + 300 }
      const usual = { iss: issuer, aud: audience, sub: 'ada', client_id: 'wallet', jti: crypto.randomUUID(), ...times }
      // A copy without the members that are undefined.
      const payload = JSON.parse(JSON.stringify({ ...usual, ...claims }))
      const protectedHeader = JSON.parse(JSON.stringify({ alg: 'ES256', typ: 'at+jwt', kid: key.kid, ...header }))
      return new SignJWT(payload).setProtectedHeader(protectedHeader).sign(key.privateKey)
    },
    async rotate() {
      keyCount++
      key = await newKey(`key-${keyCount}`)
    },
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const address = http.address()
  const issuer = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  server.issuer = issuer
  return server
}

async function newKey(kid: string): Promise<Key> {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  return { kid, jwk: await exportJWK(publicKey), privateKey }
}

function metadataOf(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    introspection_endpoint: `${issuer}/introspect`,
    userinfo_endpoint: `${issuer}/userinfo`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  }
}
