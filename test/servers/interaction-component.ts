import { createHmac } from 'node:crypto'
import { unixSeconds } from '../../shared/clock.ts'
import type { Service, TestTenant } from '../harness/harness.ts'
import { startReceiver } from './receiver.ts'

/** The claims of the session token that the tenant sends to the component. */
export interface InteractionSession {
  iss: string
  aud: string
  state: string
  redirectUrl: string
  claims: Record<string, unknown>
  iat: number
  exp: number
}

export interface TokenOptions {
  key?: string
  header?: Record<string, unknown>
  /** Members to set. Undefined removes a member. */
  payload?: Record<string, unknown>
  /** Replaces the payload. */
  text?: string
}

export interface InteractionComponent {
  url: string
  /** Base64. */
  secret: string
  /** The session tokens that users brought, newest last. */
  tokens: string[]
  session(): InteractionSession
  /** An answer to the newest session. It is valid except for what the options change. */
  token(options?: TokenOptions): string
  callback(token: string): URL
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * An operator's component as a small HTTP service, and the tenant configured with it. It does not share the HS256 code
 * of the service.
 */
export async function startComponent(
  service: Service,
  options: { tenant?: TestTenant; hook?: Record<string, unknown>; answer?: () => TokenOptions } = {},
): Promise<InteractionComponent> {
  const { tenant = service, hook = {}, answer = () => ({}) } = options
  const tokens: string[] = []
  const receiver = await startReceiver(({ path }) => {
    tokens.push(new URL(path, 'http://x').searchParams.get('session_token') ?? '')
    return { status: 302, headers: { location: component.callback(component.token(answer())).href } }
  })
  const { url } = receiver
  const saved = await tenant.operator.put('/v1/openid/configuration', { interactionHook: { url, ...hook } })
  if (saved.status !== 200) throw new Error(`hook: ${saved.status} ${JSON.stringify(saved.body)}`)
  const { secret } = saved.body.interactionHook
  const component: InteractionComponent = {
    url,
    secret,
    tokens,
    session: () => JSON.parse(Buffer.from(tokens.at(-1)?.split('.')[1] ?? '', 'base64url').toString()),
    token({ key = secret, header = {}, payload = {}, text } = {}) {
      const at = unixSeconds(service.clock.now())
      const { state } = component.session()
      const content = { iss: url, aud: tenant.baseUrl, state, claims: {}, iat: at, exp: at + 60, ...payload }
      return signed({ alg: 'HS256', typ: 'JWT', ...header }, text ?? JSON.stringify(content), key)
    },
    callback(token) {
      const callback = new URL(component.session().redirectUrl)
      callback.searchParams.set('session_token', token)
      return callback
    },
    [Symbol.asyncDispose]: receiver[Symbol.asyncDispose],
  }
  return component
}

function signed(header: Record<string, unknown>, payload: string, key: string): string {
  const input = [JSON.stringify(header), payload].map((part) => Buffer.from(part).toString('base64url')).join('.')
  if (header.alg === 'none') return `${input}.`
  const hash = `sha${String(header.alg).slice(2)}`
  return `${input}.${createHmac(hash, Buffer.from(key, 'base64')).update(input).digest('base64url')}`
}
