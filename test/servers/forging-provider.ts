import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { unixSeconds } from '../../shared/clock.ts'
import { keepAlive } from '../harness/keep-alive.ts'

/** How the provider makes an ID token. Defaults are those of a valid token. */
export interface Forgery {
  /** Replace claims of a valid ID token. Undefined removes a claim. */
  claims?: Record<string, unknown>
  /** `none` for no signature, `stranger` for a key that is not published, a secret for HS256. */
  signed?: 'none' | 'stranger' | { secret: string }
  /** The response has no ID token. */
  isMissing?: true
  /** The response of the userinfo endpoint. Empty by default. */
  userInfo?: Record<string, unknown>
  /** The userinfo response is a JWT of this issuer for this client. The claims replace its own ones. Undefined removes a claim. */
  userInfoJwt?: Pick<Forgery, 'claims' | 'signed'>
  /** The content coding of the userinfo response. */
  coding?: { name: string; compress(bytes: Buffer): Buffer }
}

/** A provider that answers each code with a forged ID token, which no real provider would issue. */
export async function startForgingProvider(clientId: string) {
  const own = await generateKeyPair('RS256')
  const stranger = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'one', use: 'sig', alg: 'RS256' }
  const running = { url: '', nonce: '', forgery: {} as Forgery }

  async function idToken(): Promise<string | undefined> {
    const { claims = {}, signed, isMissing } = running.forgery
    if (isMissing) return undefined
    const now = unixSeconds(new Date())
    const good = { iss: running.url, aud: clientId, sub: 'ada', nonce: running.nonce, iat: now, exp: now + 300 }
    return sign({ ...good, ...claims } as JWTPayload, signed)
  }

  async function sign(payload: JWTPayload, signed: Forgery['signed']): Promise<string> {
    if (signed === 'none') return new UnsecuredJWT(payload).encode()
    const secret = typeof signed === 'object' ? new TextEncoder().encode(signed.secret) : undefined
    const key = secret ?? (signed === 'stranger' ? stranger : own).privateKey
    return new SignJWT(payload).setProtectedHeader({ alg: secret ? 'HS256' : 'RS256', kid: 'one' }).sign(key)
  }

  const answers: Record<string, () => object | Promise<object>> = {
    '/.well-known/openid-configuration': () => ({
      issuer: running.url,
      jwks_uri: `${running.url}/jwks`,
      authorization_endpoint: `${running.url}/authorize`,
      token_endpoint: `${running.url}/token`,
      userinfo_endpoint: `${running.url}/userinfo`,
    }),
    '/jwks': () => ({ keys: [jwk] }),
    '/token': async () => ({ access_token: 'a', token_type: 'Bearer', id_token: await idToken() }),
  }

  async function userInfo(): Promise<[contentType: string, body: string]> {
    const { userInfo: claims = {}, userInfoJwt } = running.forgery
    if (!userInfoJwt) return ['application/json', JSON.stringify(claims)]
    const payload = { iss: running.url, aud: clientId, ...claims, ...userInfoJwt.claims }
    return ['application/jwt', await sign(payload, userInfoJwt.signed)]
  }
  const server = createServer(keepAlive, async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', running.url)
    if (pathname === '/authorize') {
      running.nonce = searchParams.get('nonce') ?? ''
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      back.search = String(new URLSearchParams({ code: 'any', state: searchParams.get('state') ?? '' }))
      return response.writeHead(302, { location: back.href }).end()
    }
    if (pathname === '/userinfo') {
      const [contentType, body] = await userInfo()
      const { name, compress } = running.forgery.coding ?? { name: 'identity', compress: (bytes) => bytes }
      response.writeHead(200, { 'content-type': contentType, 'content-encoding': name })
      return response.end(compress(Buffer.from(body)))
    }
    const answer = await answers[pathname]?.()
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  running.url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  return Object.assign(running, {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}
