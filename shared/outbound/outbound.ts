import { validateHeaderName, validateHeaderValue } from 'node:http'
import { Agent, type Dispatcher } from 'undici'
import { type Clock, systemClock } from '../clock.ts'
import { checkParsedUrl, parseOutboundUrl } from './check-outbound-url.ts'
import { createConnector } from './checked-connector.ts'
import { type ExchangeLimits, exchange, type OutboundResponse } from './exchange.ts'
import { OutboundError } from './outbound-error.ts'
import { findRedirect, headersAfterRedirect } from './redirect.ts'
import { createResolver, type ResolveHost } from './resolve-host.ts'

export interface OutboundOptions {
  /** Development only: also loopback addresses, over http as well. */
  allowLoopback: boolean
  /** Development only: these origins, at literal addresses of loopback. */
  allowOrigins?: readonly string[]
  resolve?: ResolveHost
  userAgent?: string
  /** For the age of the resolver's answers. */
  clock?: Clock
}

export interface OutboundRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  /** `host`, `content-length` and what steers the connection are ours to send. */
  headers?: Readonly<Record<string, string>>
  body?: string | Buffer
  /** For everything: resolving, connecting, all redirects, the whole answer. */
  timeoutMs: number
  maxResponseBytes: number
  /** What becomes of a longer answer: `fail` (default) rejects with `too_large`, `truncate` keeps its beginning. */
  overflow?: ExchangeLimits['overflow']
  /** GET and HEAD only; otherwise, and with 0 (default), a redirect is an answer like any other. */
  maxRedirects?: number
}

export interface Outbound {
  /** Any status resolves. Rejects with an OutboundError; a TypeError means that the caller passed unusable headers. */
  request(options: OutboundRequest): Promise<OutboundResponse>
  /** Cuts every connection; requests under way reject with `connection`. */
  close(): Promise<void>
}

const CONNECTIONS_PER_ORIGIN = 128
const KEEP_ALIVE_MAX_MS = 60_000

/**
 * The guard that every call to a foreign URL goes through: only https to public addresses,
 * connected to the very address that was checked, with time, size and redirects limited. Connections are kept alive and
 * shared per origin; make one per process.
 */
export function createOutbound(options: OutboundOptions): Outbound {
  const { allowLoopback, allowOrigins = [], userAgent = 'Trustwright' } = options
  const agent = createAgent(options)

  async function send(url: URL, options: OutboundRequest, timeoutMs: number): Promise<OutboundResponse> {
    const refusal = checkParsedUrl(url, {
      allowLoopback: allowLoopback || allowOrigins.includes(url.origin),
      allowQuery: true,
    })
    if (refusal) throw new OutboundError('refused_url', { detail: `it ${refusal}` })
    const { method, body = null, headers = {}, maxResponseBytes, overflow = 'fail' } = options
    const request: Dispatcher.DispatchOptions = {
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: flatHeaders(headers, userAgent),
      body,
    }
    return exchange(agent, request, { timeoutMs, maxResponseBytes, overflow })
  }

  return {
    async request(options) {
      const url = parseOutboundUrl(options.url)
      if (!url) throw new OutboundError('refused_url', { detail: 'it must be a plain absolute URL' })
      const { maxRedirects = 0, method } = options
      if (maxRedirects === 0 || (method !== 'GET' && method !== 'HEAD')) return send(url, options, options.timeoutMs)
      return follow(send, url, options, maxRedirects)
    },
    close: () => agent.destroy(),
  }
}

function createAgent(options: OutboundOptions): Agent {
  const { allowLoopback, allowOrigins = [], resolve = createResolver(), clock = systemClock } = options
  return new Agent({
    connect: createConnector({ resolve, allowLoopback, allowOrigins, clock }),
    connections: CONNECTIONS_PER_ORIGIN,
    keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
    // One timer per request, ours, instead of undici's two that restart with every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

type Send = (url: URL, options: OutboundRequest, timeoutMs: number) => Promise<OutboundResponse>

/** Every hop passes all checks again, and all of them share one deadline. */
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
  throw new OutboundError('redirect', { detail: 'there are too many' })
}

const OUR_HEADERS = /^(host|content-length|transfer-encoding|connection|keep-alive|upgrade|expect)$/

/** Checked here, because undici loses a place in its pool for good when it finds a header that it cannot send. */
function flatHeaders(headers: Readonly<Record<string, string>>, userAgent: string): string[] {
  const flat: string[] = []
  let named = false
  for (const [givenName, value] of Object.entries(headers)) {
    const name = givenName.toLowerCase()
    if (OUR_HEADERS.test(name)) throw new TypeError(`The header ${name} is not the caller's to set`)
    validateHeaderName(name)
    validateHeaderValue(name, value)
    if (name === 'user-agent') named = true
    flat.push(name, value)
  }
  if (!named) flat.push('user-agent', userAgent)
  return flat
}
