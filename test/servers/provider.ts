import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { createIdentityProvider } from '../../shared/launcher/identity-provider.ts'
import type { TestTenant } from '../harness/harness.ts'
import { keepAlive } from '../harness/keep-alive.ts'

export const ada = {
  sub: 'ada',
  claims: {
    name: 'Ada Lovelace',
    given_name: 'Ada',
    family_name: 'Lovelace',
    email: 'ada@example.org',
    email_verified: true,
  },
}
export const grace = { sub: 'grace', claims: { name: 'Grace Hopper', given_name: 'Grace', family_name: 'Hopper' } }

export interface RunningProvider {
  url: string
  clientId: string
  clientSecret: string
  /** The requests that the provider received, newest last. */
  requests: URL[]
  /** Called for each request before the provider handles it. */
  meanwhile: ((url: URL) => Promise<void>) | undefined
  [Symbol.asyncDispose](): Promise<void>
}

export type TestProvider = RunningProvider & { providerId: string }

type Options = Pick<
  Parameters<typeof createIdentityProvider>[0],
  'redirectUris' | 'users' | 'moreClaims' | 'claimsInUserInfo' | 'client'
>

/** A real OpenID Connect provider on this machine. */
export async function runProvider(options: Options): Promise<RunningProvider> {
  const server = createServer(keepAlive)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  const client = { clientId: `tenant-${randomUUID()}`, clientSecret: randomUUID() }
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const provider = createIdentityProvider({
    issuer: url,
    ...client,
    ...options,
    signingKey: { ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'one' } as never,
    cookieKey: randomUUID(),
  })
  const handle = provider.callback()
  const running: RunningProvider = {
    url,
    ...client,
    requests: [],
    meanwhile: undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  server.on('request', async (request, response) => {
    const requested = new URL(request.url ?? '', url)
    running.requests.push(requested)
    await running.meanwhile?.(requested)
    handle(request, response)
  })
  return running
}

/** Starts a provider and configures it as the authentication provider of the tenant. */
export async function startProvider(
  tenant: TestTenant,
  extra: Record<string, unknown> = {},
  options: Pick<Options, 'claimsInUserInfo' | 'client'> = {},
): Promise<TestProvider> {
  const redirectUris = [`${tenant.baseUrl}/v1/oauth/authentication/callback`]
  const running = await runProvider({ redirectUris, users: [ada, grace], ...options })
  const { url, clientId, clientSecret } = running
  const created = await tenant.operator.post('/v1/users/authentication-providers', {
    ...{ url, clientId, clientSecret },
    scope: ['openid', 'profile', 'email'],
    claimsToPersist: ['given_name', 'family_name', 'email'],
    ...extra,
  })
  if (created.status !== 201) throw new Error(`provider: ${created.status} ${JSON.stringify(created.body)}`)
  // The configuration request fetched the discovery document of the provider.
  running.requests.length = 0
  return Object.assign(running, { providerId: created.body.id })
}

/** A browser for this flow: it keeps cookies per host and follows one redirect at a time. */
export interface Browser {
  /** By host and name. */
  cookies: Map<string, Map<string, string>>
  /** Sends one request and keeps the cookies of the answer. */
  open(
    url: URL | string,
    method?: 'GET' | 'POST',
    form?: Record<string, string>,
  ): Promise<{ status: number; location: URL | undefined; html: string; headers: Headers }>
  /** Follows redirects until `isEnd` is true for the address or a page is shown. Signs in as `user` on the way. */
  signIn(url: URL | string, user?: string): Promise<{ url: URL; status: number; html: string }>
}

export function newBrowser(isEnd: (url: URL) => boolean): Browser {
  const jar = new Map<string, Map<string, string>>()
  const browser: Browser = {
    cookies: jar,
    async open(url, method = 'GET', form) {
      const { host, href } = new URL(url)
      const cookies = jar.get(host) ?? new Map<string, string>()
      jar.set(host, cookies)
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const body = form && new URLSearchParams(form)
      const headers = cookie ? { cookie } : {}
      const response = await fetch(href, { method, redirect: 'manual', headers, ...(body && { body }) })
      for (const line of response.headers.getSetCookie()) {
        const [pair = ''] = line.split(';')
        const at = pair.indexOf('=')
        if (/; Max-Age=0(;|$)/i.test(line)) cookies.delete(pair.slice(0, at))
        else cookies.set(pair.slice(0, at), pair.slice(at + 1))
      }
      const location = response.headers.get('location')
      return {
        status: response.status,
        location: location ? new URL(location, href) : undefined,
        html: await response.text(),
        headers: response.headers,
      }
    },
    async signIn(start, user = 'ada') {
      let url = new URL(start)
      for (let hops = 0; hops < 20; hops++) {
        if (isEnd(url)) return { url, status: 302, html: '' }
        const { status, location, html } = await browser.open(url)
        if (location) {
          url = location
          continue
        }
        if (!url.pathname.startsWith('/sign-in/')) return { url, status, html }
        const answered = await browser.open(`${url.href}?as=${user}`, 'POST')
        if (!answered.location) return { url, status: answered.status, html: answered.html }
        url = answered.location
      }
      throw new Error('redirected without end')
    },
  }
  return browser
}
