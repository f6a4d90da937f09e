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
 * What was published and is read by crowds stands ready here as it goes onto the wire, for as long as its handler said
 * (`Answer.freshWhile`). Whoever asks for it meanwhile is answered with one write, and neither routed, parsed nor presented.
 * Limits, events and metrics count these readers like all others; what is anything else goes the whole way.
 */
export interface ResponseCache {
  serve: Middleware
  /** Whether the answer to this request is to be `put`: it is written whole before that, whatever the caller has already. */
  isCacheable(ctx: Context, answer: unknown): boolean
  /** What was written stands ready from now on. Tells who has it already that nothing has changed. */
  put(ctx: Context, answer: unknown, of: { route: Route; tenant: Tenant; crowd: string | undefined }): void
  /** Of a request that came by here and went on: it is counted once. */
  admissionOf(ctx: Context): Promise<void> | undefined
}

interface CachedResponse {
  route: Route
  tenant: Tenant
  group: string | undefined
  freshWhile(): boolean
  etag: string | undefined
  bytes: Buffer
  /** Names and values by turns. */
  headers: string[]
  /** Without those that describe a body (RFC 9110, section 15.4.5). */
  headersOf304: string[]
  observe(status: number, seconds: number): void
}

const maxBytes = 64_000_000
const maxAddresses = 10_000
/** Of the headers that an answer varies by. */
const maxVaryLength = 300

export function createResponseCache(deps: Application['deps'], hooks: RequestHooks): ResponseCache {
  /** By path: the headers that its answers vary by. */
  const addresses = new LRUCache<string, string[]>({ max: maxAddresses })
  const standing = new LRUCache<string, CachedResponse>({
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
    const found = tenant && standing.get(keyOf(tenant, ctx, vary))
    // A tenant that was read anew may have changed.
    return found?.tenant === tenant && found?.freshWhile() ? found : undefined
  }

  /** False where the pipeline is to answer: to refuse it, to tell of it, or to close the connection. */
  async function mayTake(
    { group: crowd }: CachedResponse,
    admission: Promise<void>,
    requestId: string,
    at: Date,
  ): Promise<boolean> {
    try {
      await admission
    } catch {
      return false
    }
    return deps.lifecycle.phase === 'serving' && (!crowd || deps.analytics.countAnonymous(crowd, requestId, at))
  }

  async function give(found: CachedResponse, ctx: Context, next: Next): Promise<void> {
    const arrivedAt = performance.now()
    const at = deps.clock.now()
    const requestId = newOrderedId(at)
    const admission = hooks.admit(found.route, ctx, found.tenant)
    const status = statusOf(ctx, found)
    const mayTakeIt = await mayTake(found, admission, requestId, at)
    if (mayTakeIt && (status === 304 || deps.largeAnswers.hold(ctx.res, found.bytes, found.tenant.id))) {
      ctx.respond = false
      send(ctx, found, { status, requestId })
      return found.observe(status, (performance.now() - arrivedAt) / 1000)
    }
    admissions.set(ctx, admission)
    return next()
  }

  return {
    serve(ctx, next) {
      const found = find(ctx)
      return found ? give(found, ctx, next) : next()
    },
    isCacheable(ctx, answer) {
      if (!(answer instanceof Answer) || !answer.freshWhile || ctx.method !== 'GET') return false
      return ctx.headers.range === undefined && ctx.url === ctx.path && !deps.log.isLevelEnabled('debug')
    },
    put(ctx, answer, of) {
      const made = standingOf(ctx, answer, of)
      const vary = varyOf(ctx.res)
      addresses.set(ctx.url, vary)
      if (wishOf(ctx, vary).length <= maxVaryLength) standing.set(keyOf(of.tenant, ctx, vary), made)
      if (made.etag === undefined || !isKnown(ctx.headers, made.etag)) return
      for (const name of ofBody) ctx.remove(name)
      ctx.status = 304
    },
    admissionOf: (ctx) => admissions.get(ctx),
  }
}

/** By host as well, since a tenant is read for each of its hosts. */
function keyOf(tenant: Tenant, ctx: Context, vary: string[]): string {
  const address = `${tenant.id} ${tenant.host} ${ctx.req.url}`
  return vary.length === 0 ? address : `${address}\n${wishOf(ctx, vary)}`
}

function wishOf({ req }: Context, vary: string[]): string {
  return vary.map((name) => String(req.headers[name] ?? '')).join('\n')
}

function varyOf(response: ServerResponse): string[] {
  const vary = response.getHeader('Vary')
  return vary === undefined ? [] : String(vary).toLowerCase().split(/, */)
}

const ofBody = ['accept-ranges', 'content-disposition', 'content-encoding', 'content-length', 'content-type']

function standingOf(
  ctx: Context,
  answer: unknown,
  { route, tenant, crowd }: { route: Route; tenant: Tenant; crowd: string | undefined },
): CachedResponse {
  const { res, body } = ctx
  if (!(answer instanceof Answer) || !answer.freshWhile || answer.onSent)
    throw new Error('the answer is for one caller')
  if (route.access.kind !== 'anyone' || (route.event && !route.aggregatesAnonymousEvents))
    throw new Error(`${route.operation} is not read by crowds`)
  if (!(Buffer.isBuffer(body) || typeof body === 'string')) throw new Error(`${route.operation} stands for no bytes`)
  const names = res.getHeaderNames().filter((name) => name !== 'x-request-id')
  const paired = (these: string[]) => these.flatMap((name) => [name, String(res.getHeader(name))])
  const etag = res.getHeader('ETag')
  return {
    route,
    tenant,
    group: crowd,
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

/** Answers in one write. */
function send(
  { res }: Context,
  { bytes, headers, headersOf304 }: CachedResponse,
  { status, requestId }: { status: 200 | 304; requestId: string },
): void {
  res.writeHead(status, ['X-Request-Id', requestId, ...(status === 304 ? headersOf304 : headers)])
  res.end(status === 304 ? undefined : bytes)
}
