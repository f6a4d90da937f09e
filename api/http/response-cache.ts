import type { ServerResponse } from 'node:http'
import type { Context, Middleware, Next } from 'koa'
import { LRUCache } from 'lru-cache'
import { newOrderedId } from '../../shared/ids.ts'
import type { Application } from './application.ts'
import { observerOf } from './observe.ts'
import { repeatedHeaderOf } from './repeated-headers.ts'
import { Answer } from './representations/answer.ts'
import { isKnown } from './representations/conditional.ts'
import type { RequestHooks } from './request-hooks.ts'
import type { Route } from './route.ts'

type Tenant = Application['tenant']

/**
 * Caches public responses as bytes, for as long as the handler allows (`Answer.freshWhile`). A cached response is sent with one
 * write, without routing, parsing and serialization. Limits, events and metrics count these requests like all others.
 */
export interface ResponseCache {
  serve: Middleware
  /** Whether `put` accepts the answer to this request. The answer must first be written whole, without regard to conditions. */
  isCacheable(ctx: Context, answer: unknown): boolean
  /** Stores the response that was written. Turns it into 304 if the client has it already. */
  put(ctx: Context, answer: unknown, of: CachedFor): void
  /** The rate limit check of a request that the cache did not answer, so that the pipeline does not count it again. */
  admissionOf(ctx: Context): Promise<void> | undefined
}

interface CachedFor {
  route: Route
  tenant: Tenant
  /** The event group that the requests are counted in. Undefined for a route without events. */
  eventGroup: string | undefined
}

interface CachedResponse extends CachedFor {
  freshWhile(): boolean
  etag: string | undefined
  bytes: Buffer
  /** Alternating names and values. */
  headers: string[]
  /** The headers without those that describe a body (RFC 9110, section 15.4.5). */
  headersOf304: string[]
  observe(status: number, seconds: number): void
}

const maxBytes = 64_000_000
const maxAddresses = 10_000
/** The length of the values of all headers in `Vary`. */
const maxVaryLength = 300

export function createResponseCache(deps: Application['deps'], hooks: RequestHooks): ResponseCache {
  /** The names of the headers in `Vary`, by path. */
  const addresses = new LRUCache<string, string[]>({ max: maxAddresses })
  const responses = new LRUCache<string, CachedResponse>({
    max: maxAddresses,
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes.length + 1,
  })
  const admissions = new WeakMap<Context, Promise<void>>()

  function find(ctx: Context): CachedResponse | undefined {
    const { req } = ctx
    const vary = req.method === 'GET' ? addresses.get(req.url ?? '') : undefined
    if (!vary || req.headers.range !== undefined || repeatedHeaderOf(req) !== undefined) return undefined
    const tenant = hooks.findKnownTenant(deps, ctx)
    const entry = tenant && responses.get(keyOf(tenant, ctx, vary))
    // A tenant that was read again may have changed.
    return entry?.tenant === tenant && entry?.freshWhile() ? entry : undefined
  }

  async function serve(entry: CachedResponse, ctx: Context, next: Next): Promise<void> {
    const arrivedAt = performance.now()
    const at = deps.clock.now()
    const requestId = newOrderedId(at)
    const admission = hooks.admit(entry.route, ctx, entry.tenant)
    const status = statusOf(ctx, entry)
    const isServed = await mayServe(deps, entry, admission, { requestId, at })
    if (isServed && (status === 304 || deps.largeAnswers.hold(ctx.res, entry.bytes, entry.tenant.id))) {
      ctx.respond = false
      send(ctx, entry, { status, requestId })
      return entry.observe(status, (performance.now() - arrivedAt) / 1000)
    }
    admissions.set(ctx, admission)
    return next()
  }

  return {
    serve(ctx, next) {
      const entry = find(ctx)
      return entry ? serve(entry, ctx, next) : next()
    },
    isCacheable(ctx, answer) {
      if (!(answer instanceof Answer) || !answer.freshWhile || ctx.method !== 'GET') return false
      return ctx.headers.range === undefined && ctx.url === ctx.path && !deps.log.isLevelEnabled('debug')
    },
    put(ctx, answer, of) {
      const made = cachedResponseOf(ctx, answer, of)
      const vary = varyOf(ctx.res)
      addresses.set(ctx.url, vary)
      if (variantOf(ctx, vary).length <= maxVaryLength) responses.set(keyOf(of.tenant, ctx, vary), made)
      if (made.etag === undefined || !isKnown(ctx.headers, made.etag)) return
      for (const name of ofBody) ctx.remove(name)
      ctx.status = 304
    },
    admissionOf: (ctx) => admissions.get(ctx),
  }
}

/** Returns false if the pipeline must answer: to refuse the request, to emit its event, or to close the connection. */
async function mayServe(
  { lifecycle, analytics }: Application['deps'],
  { eventGroup }: CachedResponse,
  admission: Promise<void>,
  { requestId, at }: { requestId: string; at: Date },
): Promise<boolean> {
  try {
    await admission
  } catch {
    return false
  }
  if (lifecycle.phase !== 'serving') return false
  return !eventGroup || analytics.countAnonymous(eventGroup, requestId, at)
}

/** Includes the host and the view, because each of a tenant has its own `Tenant`. */
function keyOf(tenant: Tenant, ctx: Context, vary: string[]): string {
  const address = `${tenant.id} ${tenant.host} ${tenant.view?.id ?? ''} ${ctx.req.url}`
  return vary.length === 0 ? address : `${address}\n${variantOf(ctx, vary)}`
}

function variantOf({ req }: Context, vary: string[]): string {
  return vary.map((name) => String(req.headers[name] ?? '')).join('\n')
}

function varyOf(response: ServerResponse): string[] {
  const vary = response.getHeader('Vary')
  return vary === undefined ? [] : String(vary).toLowerCase().split(/, */)
}

const ofBody = ['accept-ranges', 'content-disposition', 'content-encoding', 'content-length', 'content-type']

function cachedResponseOf(ctx: Context, answer: unknown, { route, tenant, eventGroup }: CachedFor): CachedResponse {
  const { res, body } = ctx
  if (!(answer instanceof Answer) || !answer.freshWhile || answer.onSent)
    throw new Error(`${route.operation}: the answer is for one caller and cannot be cached`)
  if (route.access.kind !== 'anyone' || (route.event && !route.aggregatesAnonymousEvents))
    throw new Error(`${route.operation} cannot be cached: it is not public, or does not aggregate anonymous events`)
  if (!(Buffer.isBuffer(body) || typeof body === 'string'))
    throw new Error(`${route.operation}: a stream cannot be cached`)
  const names = res.getHeaderNames().filter((name) => name !== 'x-request-id')
  const paired = (these: string[]) => these.flatMap((name) => [name, String(res.getHeader(name))])
  const etag = res.getHeader('ETag')
  return {
    route,
    tenant,
    eventGroup,
    freshWhile: answer.freshWhile,
    etag: etag === undefined ? undefined : String(etag),
    bytes: typeof body === 'string' ? Buffer.from(body) : body,
    headers: paired(names),
    headersOf304: paired(names.filter((name) => !ofBody.includes(name))),
    observe: observerOf(route),
  }
}

function statusOf({ req }: Context, { etag }: CachedResponse): 200 | 304 {
  return etag !== undefined && isKnown(req.headers, etag) ? 304 : 200
}

function send(
  { res }: Context,
  { bytes, headers, headersOf304 }: CachedResponse,
  { status, requestId }: { status: 200 | 304; requestId: string },
): void {
  res.writeHead(status, ['X-Request-Id', requestId, ...(status === 304 ? headersOf304 : headers)])
  res.end(status === 304 ? undefined : bytes)
}
