import type { Context } from 'koa'
import { z } from 'zod'
import { findProblem, Problem } from '../../shared/errors.ts'
import { newOrderedId } from '../../shared/ids.ts'
import type { Log } from '../../shared/log.ts'
import { httpDuration } from '../../shared/metrics.ts'
import { defaultBodyLimitBytes, mediaTypeOf, parseBody, parseParameters, rawBodyOf } from './body.ts'
import { Uuid } from './fields.ts'
import { parsePart, writeProblem } from './problems.ts'
import { refuseRepeatedHeaders } from './repeated-headers.ts'
import { type Access, Answer, type Application, type Call, type Route } from './route.ts'

type Deps = Application['deps']
type Tenant = Application['tenant']

/** Who calls, as far as the access of the route asks. */
export interface Subjects {
  caller?: Application['caller']
  holder?: Application['holder']
}

/** What authentication needs of a request besides its headers. */
export interface Exchange {
  tenant: Tenant | undefined
  rawBody(): Promise<Buffer>
  /** Says which offer the request is about, also when it is then refused. */
  about(offerId: string | null | undefined): void
}

/** Whom a request is addressed to and who sent it: the application's to find out. */
export interface Door {
  findTenant(deps: Deps, ctx: Context): Promise<Tenant | undefined>
  /** Throws 401 or 403. */
  authenticate(access: Access, ctx: Context, deps: Deps, exchange: Exchange): Promise<Subjects>
}

/** The request of one route, through the one pipeline: tenant, caller, START, parse, handle, present, SUCCESS or FAIL. */
export function mount(route: Route, deps: Deps, door: Door): (ctx: Context) => Promise<void> {
  return async (ctx) => {
    const stop = httpDuration.startTimer({ operation: route.operation })
    const request: Request = { requestId: newOrderedId(deps.clock.now()), tenant: undefined, offerId: undefined }
    ctx.set('X-Request-Id', request.requestId)
    ctx.set('Cache-Control', 'no-store')
    try {
      refuseRepeatedHeaders(ctx.req)
      request.tenant = await tenantOf(route, ctx, deps, door)
      await run(route, ctx, deps, door, request)
      if (deps.log.isLevelEnabled('debug')) logOf(route, deps, request).debug({ status: ctx.status }, 'answered')
    } catch (error) {
      const log = logOf(route, deps, request)
      const problem = problemOf(error, log)
      if (route.problemPage)
        writePage(ctx, problem, route.problemPage(problem, { tenant: request.tenant, headers: ctx.headers }))
      else writeProblem(ctx, problem, route)
      const said = { status: ctx.status, problem: problem.code }
      if (problem.status < 500 || !problem.cause) log.info(said, 'refused')
      else log.warn({ ...said, err: problem.cause }, 'refused')
    } finally {
      stop({ status: ctx.status })
    }
  }
}

function writePage(ctx: Context, problem: Problem, { body, status = problem.status, headers }: Answer): void {
  ctx.status = status
  ctx.type = 'text/html'
  ctx.set(problem.headers)
  ctx.set(headers)
  ctx.body = body
}

interface Request {
  requestId: string
  tenant: Tenant | undefined
  /** The credential offer that it turned out to be about. */
  offerId: string | undefined
}

/** Made only where something is logged: most requests have nothing to say. */
function logOf({ operation }: Route, { log }: Deps, { requestId, tenant }: Request): Log {
  return log.child({ requestId, operation, ...(tenant ? { tenantId: tenant.id } : {}) })
}

async function run(route: Route, ctx: Context, deps: Deps, door: Door, request: Request): Promise<void> {
  const rawBody = rawBodyOf(ctx.req, route.bodyLimitBytes ?? defaultBodyLimitBytes)
  const about = (offerId: string | null | undefined) => {
    request.offerId = offerId ?? undefined
  }
  const subjects = await door
    .authenticate(route.access, ctx, deps, { tenant: request.tenant, rawBody, about })
    .catch((error: unknown) => ({ error }))
  const report = reporter(route, ctx, deps, request, 'error' in subjects ? undefined : subjects)
  report('START', startData(route, ctx))
  try {
    if ('error' in subjects) throw subjects.error
    const call = await callOf(route, ctx, deps, request, subjects, { rawBody, about })
    const answer = await route.handle(call)
    const body = await present(route, answer, ctx)
    const refused = answer instanceof Answer ? answer.refused : undefined
    if (refused) report('FAIL', failData(refused))
    else report('SUCCESS', successData(ctx.params, body))
  } catch (error) {
    const problem = problemOf(error, logOf(route, deps, request))
    report('FAIL', failData(problem))
    throw problem
  }
}

/** Problems are for the caller; everything else is a bug, told in the log under the request id alone. */
function problemOf(error: unknown, log: Log): Problem {
  const problem = findProblem(error)
  if (problem) return problem
  log.error({ err: error }, 'a request failed')
  return new Problem('internal')
}

async function tenantOf(route: Route, ctx: Context, deps: Deps, door: Door): Promise<Tenant | undefined> {
  const host = route.host ?? 'tenant'
  if (host === 'any') return undefined
  const tenant = await door.findTenant(deps, ctx)
  const wanted = host === 'either' || (host === 'platform') === (tenant?.kind === 'platform')
  if (!tenant || !wanted) throw new Problem('not_found', { message: 'Nothing is served here' })
  return tenant
}

async function callOf(
  route: Route,
  ctx: Context,
  deps: Deps,
  { requestId, tenant }: Request,
  subjects: Subjects,
  { rawBody, about }: Pick<Exchange, 'rawBody' | 'about'>,
): Promise<Call<never, never, never>> {
  const params = route.params && parsePart(route.params, ctx.params, 'params')
  const query = route.query && parsePart(route.query, parseParameters(ctx.querystring), 'query')
  const { openBody, consumes = ['application/json'] } = route
  const open = openBody && ((jwe: string) => openBody({ deps, tenant: required(tenant, 'a tenant') }, jwe))
  const sent = route.body && (await parseBody(ctx.req, rawBody, consumes, open))
  const body = route.body && parsePart(route.body, sent ?? {}, 'body')
  // Plain values, no getters: those of a literal would give each call a shape of its own, by which V8's old generation
  // keeps the request, with all that hangs on it, until that is collected.
  const call = {
    deps,
    tenant,
    tenantId: tenant?.id,
    requestId,
    params,
    query,
    body,
    headers: ctx.headers,
    method: ctx.method,
    url: tenant && tenant.baseUrl + ctx.path,
    rawBody: route.body ? await rawBody() : Buffer.alloc(0),
    isEncrypted: open !== undefined && mediaTypeOf(ctx.req) === 'application/jwt',
    about,
    caller: () => required(subjects.caller, 'a management client'),
    holder: () => required(subjects.holder, 'a wallet'),
  }
  // Boundary: the parts were parsed by the route's own schemas, which typed its handler; one without a tenant asks for none.
  return call as unknown as Call<never, never, never>
}

function required<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`this route has no ${what}`)
  return value
}

/** Writes the answer through the response schema, so that nothing is sent that the reference does not show. */
async function present(route: Route, answer: unknown, ctx: Context): Promise<unknown> {
  const {
    body,
    status = route.status,
    headers,
    onSent,
    encoding,
  } = answer instanceof Answer ? answer : new Answer(answer, {})
  const schema = route.otherAnswers?.[status]?.response ?? route.response
  const shown = route.produces || body === undefined ? body : schema?.parse(body)
  const sent = encoding ? await encoding.encode(shown) : shown
  ctx.body = sent ?? null
  ctx.status = status
  ctx.set(headers)
  if (onSent) ctx.res.once('finish', onSent)
  if (route.cacheControl) ctx.set('Cache-Control', route.cacheControl)
  const mediaType = encoding?.mediaType ?? route.produces
  if (mediaType) ctx.type = mediaType
  return route.produces ? undefined : shown
}

type Outcome = 'START' | 'SUCCESS' | 'FAIL'

function reporter(route: Route, ctx: Context, deps: Deps, request: Request, subjects: Subjects | undefined) {
  return (outcome: Outcome, data: Record<string, unknown>) => {
    const { requestId, tenant, offerId } = request
    if (!route.event || !tenant) return
    const clientId = subjects?.caller?.clientId ?? ctx.state.clientId
    const walletClientId = subjects?.holder?.clientId
    const at = deps.clock.now()
    deps.analytics.emit({
      id: newOrderedId(at),
      tenantId: tenant.id,
      type: `${route.event}_${outcome}`,
      category: categoryOf(route),
      timestamp: at.toISOString(),
      requestId,
      ...(clientId ? { clientId } : {}),
      ...(walletClientId ? { walletClientId } : {}),
      ...(offerId && outcome !== 'START' ? { offerId } : {}),
      data,
    })
  }
}

const categories = new Map<string, string>()

function categoryOf({ tag }: Route): string {
  const category = categories.get(tag) ?? tag.toUpperCase().replaceAll(/[^A-Z]+/g, '_')
  categories.set(tag, category)
  return category
}

const limitOf = z.coerce.number().int().min(1).max(1000).catch(100)

/** `{limit}` of a list, the ids of the path for the rest. Ids that are none stay out of the record. */
function startData(route: Route, ctx: Context): Record<string, unknown> {
  if (route.query && 'limit' in queryShape(route))
    return { limit: limitOf.parse(new URLSearchParams(ctx.querystring).get('limit') ?? 100) }
  return idsOf(ctx.params)
}

function queryShape(route: Route): object {
  return route.query instanceof z.ZodObject ? route.query.shape : {}
}

function idsOf(params: Record<string, string>): Record<string, unknown> {
  const entries = Object.entries(params).filter(([, value]) => Uuid.safeParse(value).success)
  if (entries.length === 1 && entries[0]) return { id: entries[0][1] }
  return Object.fromEntries(entries)
}

function failData({ code, reason }: Problem): Record<string, unknown> {
  return { error: { type: code, message: reason } }
}

function successData(params: Record<string, string>, body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null) return idsOf(params)
  if ('data' in body && Array.isArray(body.data)) {
    return {
      entriesCount: body.data.length,
      ...('nextCursor' in body && body.nextCursor ? { nextCursor: body.nextCursor } : {}),
    }
  }
  return 'id' in body && typeof body.id === 'string' ? { id: body.id } : idsOf(params)
}
