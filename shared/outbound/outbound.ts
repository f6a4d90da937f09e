import { validateHeaderName, validateHeaderValue } from 'node:http'
import { Agent, type Dispatcher } from 'undici'
import { type Clock, systemClock } from '../clock.ts'
import { tracing } from '../tracing/tracing.ts'
import { checkParsedUrl, checkPlatformUrl, parseOutboundUrl } from './check-outbound-url.ts'
import { type ClientTls, createConnector } from './checked-connector.ts'
import { acceptedCodings, decodeBody } from './decode-body.ts'
import { type ExchangeLimits, exchange, type OutboundResponse } from './exchange.ts'
import { OutboundError } from './outbound-error.ts'
import { findRedirect, headersAfterRedirect } from './redirect.ts'
import { createResolver, type ResolveHost } from './resolve-host.ts'

export interface OutboundOptions {
  /** Allows loopback addresses, and http to them, for development. */
  allowLoopback: boolean
  /** Allows these origins at literal loopback addresses, for development. */
  allowOrigins?: readonly string[]
  /** Allows only these origins, which the settings of the platform name. They can have addresses of own networks. */
  onlyOrigins?: readonly string[]
  tls?: ClientTls
  resolve?: ResolveHost
  userAgent?: string
  /** The clock for the expiry of cached addresses. */
  clock?: Clock
}

export interface OutboundRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  /** Must not contain `host`, `content-length`, `accept-encoding` or headers that control the connection. */
  headers?: Readonly<Record<string, string>>
  body?: string | Buffer
  /** Total time limit: resolving, connecting, all redirects, and the complete response. */
  timeoutMs: number
  /** The limit of the body, both as received and decoded. */
  maxResponseBytes: number
  /**
   * For a longer response, `fail` (default) rejects with `too_large`. `truncate` returns its beginning, asks the server for no content
   * coding, and decodes none.
   */
  overflow?: ExchangeLimits['overflow']
  /** The maximum number of redirects, for GET and HEAD. With 0 (default) and other methods, a redirect is returned as the response. */
  maxRedirects?: number
}

export interface Outbound {
  /** Resolves with any status. Rejects with an OutboundError, or with a TypeError for invalid headers, which is a bug of the caller. */
  request(options: OutboundRequest): Promise<OutboundResponse>
  /** Closes all connections. Running requests reject with `connection`. */
  close(): Promise<void>
}

const CONNECTIONS_PER_ORIGIN = 128
const KEEP_ALIVE_MAX_MS = 60_000

/**
 * Sends all calls to external URLs: only https, only to public addresses, and with limits of time, size and redirects. Each connection
 * goes to an address that was checked. Compressed responses are decoded. Connections are kept alive and shared per origin. A process needs
 * one `Outbound`.
 */
export function createOutbound(options: OutboundOptions): Outbound {
  const { userAgent = 'Trustwright' } = options
  const agent = createAgent(options)
  const findRefusal = urlCheckOf(options)

  async function send(url: URL, options: OutboundRequest, timeoutMs: number): Promise<OutboundResponse> {
    const refusal = findRefusal(url)
    if (refusal) throw new OutboundError('refused_url', { detail: `it ${refusal}` })
    const { method, body = null, headers = {}, maxResponseBytes, overflow = 'fail' } = options
    const keepsBeginning = overflow === 'truncate'
    const request: Dispatcher.DispatchOptions = {
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: flatHeaders(headers, { userAgent, acceptEncoding: keepsBeginning ? 'identity' : acceptedCodings }),
      body,
    }
    const response = await exchange(agent, request, { timeoutMs, maxResponseBytes, overflow })
    return keepsBeginning ? response : decodeBody(response, maxResponseBytes)
  }

  const outbound: Outbound = {
    async request(options) {
      const url = parseOutboundUrl(options.url)
      if (!url) throw new OutboundError('refused_url', { detail: 'it must be a plain absolute URL' })
      const { maxRedirects = 0, method } = options
      if (maxRedirects === 0 || (method !== 'GET' && method !== 'HEAD')) return send(url, options, options.timeoutMs)
      return follow(send, url, options, maxRedirects)
    },
    close: () => agent.destroy(),
  }
  return tracing ? { ...outbound, request: traced(outbound.request) } : outbound
}

/** Runs calls in spans. A span has no address, because the host or path of a caller's URL can name a person. */
function traced(request: Outbound['request']): Outbound['request'] {
  return (options) => {
    if (!tracing) return request(options)
    return tracing.span('outbound call', 'client', { 'http.request.method': options.method }, async (segment) => {
      const response = await request(options)
      segment?.set({ 'http.response.status_code': response.status })
      return response
    })
  }
}

/** Returns the check of each URL, before every call and after every redirect. */
function urlCheckOf({ allowLoopback, allowOrigins = [], onlyOrigins }: OutboundOptions) {
  return (url: URL): string | undefined => {
    if (onlyOrigins) return onlyOrigins.includes(url.origin) ? checkPlatformUrl(url.href) : 'must be in the settings'
    return checkParsedUrl(url, { allowLoopback: allowLoopback || allowOrigins.includes(url.origin), allowQuery: true })
  }
}

function createAgent(options: OutboundOptions): Agent {
  const {
    allowLoopback,
    allowOrigins = [],
    onlyOrigins,
    tls,
    resolve = createResolver(),
    clock = systemClock,
  } = options
  const allowPrivate = onlyOrigins !== undefined
  return new Agent({
    connect: createConnector({ resolve, allowLoopback, allowOrigins, allowPrivate, tls, clock }),
    connections: CONNECTIONS_PER_ORIGIN,
    keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
    // `exchange` has one timer per request. The two timers of undici restart with every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

type Send = (url: URL, options: OutboundRequest, timeoutMs: number) => Promise<OutboundResponse>

/** Follows redirects. Every redirect passes all checks, and all share one deadline. */
async function follow(send: Send, start: URL, options: OutboundRequest, maxRedirects: number) {
  const deadline = performance.now() + options.timeoutMs
  let url = start
  let headers = options.headers ?? {}
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const response = await send(url, { ...options, headers }, Math.max(1, deadline - performance.now()))
    const next = findRedirect(url, response)
    if (!next) return response
    headers = headersAfterRedirect(url, next, headers)
    url = next
  }
  throw new OutboundError('redirect', { detail: 'there are too many redirects' })
}

const OUR_HEADERS = /^(host|content-length|transfer-encoding|accept-encoding|connection|keep-alive|upgrade|expect)$/

/** Checks the headers first, because undici loses a connection of its pool for good when it refuses a header. */
function flatHeaders(
  headers: Readonly<Record<string, string>>,
  ours: { userAgent: string; acceptEncoding: string },
): string[] {
  const flat: string[] = []
  let named = false
  for (const [givenName, value] of Object.entries(headers)) {
    const name = givenName.toLowerCase()
    if (OUR_HEADERS.test(name)) throw new TypeError(`The caller must not set the header ${name}`)
    validateHeaderName(name)
    validateHeaderValue(name, value)
    if (name === 'user-agent') named = true
    flat.push(name, value)
  }
  if (!named) flat.push('user-agent', ours.userAgent)
  flat.push('accept-encoding', ours.acceptEncoding)
  return flat
}
