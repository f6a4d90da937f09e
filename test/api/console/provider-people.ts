import type { Api, ApiResponse } from '../../harness/api-client.ts'
import type { TestTenant } from '../../harness/harness.ts'
import { newBrowser, type RunningProvider, runProvider } from '../../servers/provider.ts'

/** The users of the provider. */
const people = {
  ada: { name: 'Ada Lovelace', groups: ['registry', 'choir'] },
  grace: { name: 'Grace Hopper', groups: 'admins', email: 'grace@example.org' },
  tess: { name: 'Tess', groups: ['trust', 'admins'] },
  eve: { name: 'Eve', groups: ['choir', 'registry '] },
  joan: { realm_access: { roles: ['registry'] }, 'https://example.org/roles': 'registry' },
}

export type PersonName = keyof typeof people

export const header = { 'x-console': '1' }
export const callbackPath = '/console/session/callback'

/** Runs a real provider with these users and redirect URIs at these hosts. */
export function runProviderFor(...baseUrls: string[]): Promise<RunningProvider> {
  return runProviderOf(baseUrls)
}

/** Runs such a provider for a client with these settings. */
export function runProviderOf(
  baseUrls: string[],
  client?: Parameters<typeof runProvider>[0]['client'],
): Promise<RunningProvider> {
  return runProvider({
    ...(client && { client }),
    redirectUris: baseUrls.map((url) => url + callbackPath),
    users: Object.entries(people).map(([sub, claims]) => ({ sub, claims })),
    moreClaims: ['groups', 'realm_access', 'https://example.org/roles'],
  })
}

export function settingsFor({ url: issuer, clientId, clientSecret }: RunningProvider, more: object = {}) {
  return {
    ...{ name: 'University login', issuer, clientId, clientSecret, claim: 'groups' },
    roles: [
      { value: 'registry', roles: ['issuer'] },
      { value: 'admins', roles: ['admin', 'auditor'] },
      { value: 'trust', roles: ['dts-provider'] },
    ],
    ...more,
  }
}

/** Returns the `name=value` of a cookie in an answer. */
export function cookieIn({ headers }: ApiResponse, name: string): string | undefined {
  const lines = [headers['set-cookie'] ?? []].flat()
  return lines.map((line) => line.split(';', 1)[0]!).find((pair) => pair.startsWith(`${name}=`) && !pair.endsWith('='))
}

export interface Begun {
  url: URL
  /** The cookie of the browser that started the sign-in. */
  cookie: string
}

export async function begin({ anonymous }: { anonymous: Api }, body: object = {}, headers = {}): Promise<Begun> {
  const answer = await anonymous.post('/console/session/provider', body, { ...header, ...headers })
  if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  return { url: new URL(answer.body.url), cookie: cookieIn(answer, 'console-sign-in')! }
}

/** Signs in or cancels at the provider. Returns the callback URL. */
export async function atProvider({ url }: Begun, person: PersonName | ''): Promise<URL> {
  const end = await newBrowser(({ pathname }) => pathname === callbackPath).signIn(url, person)
  if (end.url.pathname !== callbackPath) throw new Error(`${end.status} ${end.html}`)
  return end.url
}

export function returnToConsole({ anonymous }: { anonymous: Api }, callback: URL, cookie = ''): Promise<ApiResponse> {
  return anonymous.get(callback.pathname + callback.search, { cookie })
}

/** The target of the refresh header of an answer. */
export const redirectTarget = ({ headers }: ApiResponse) => String(headers.refresh).replace('0;url=', '')

/** Signs a user in. Returns the headers of the session. */
export async function signedIn(
  tenant: Pick<TestTenant, 'anonymous'>,
  person: PersonName,
): Promise<Record<string, string>> {
  const begun = await begin(tenant)
  const answer = await returnToConsole(tenant, await atProvider(begun, person), begun.cookie)
  const cookie = cookieIn(answer, 'console')
  if (!cookie) throw new Error(`${person}: ${redirectTarget(answer)}`)
  return { ...header, cookie }
}
