import type { Context } from 'koa'
import { createDeadline, noDeadline, rollbackTimeMs } from '../../shared/deadline.ts'
import { findProblem, Problem } from '../../shared/errors/errors.ts'
import { newOrderedId } from '../../shared/ids.ts'
import type { Log } from '../../shared/log/log.ts'
import { tracing } from '../../shared/tracing/tracing.ts'
import type { Admission } from './admission.ts'
import type { Application } from './application.ts'
import type { AttributedIds } from './attributed-ids.ts'
import { defaultBodyLimitBytes, rawBodyOf } from './body.ts'
import { createCall, type Request, sendsForm } from './call.ts'
import { compileSchemas } from './compiled-schemas.ts'
import { deprecationHeaders } from './deprecation.ts'
import {
  type IdempotencyClaim,
  idempotencyKeyOf,
  type StoredAnswer,
  writeStoredAnswer,
  writtenAnswer,
} from './idempotency.ts'
import { handleFormUnderKey, handleUnderKey } from './keyed-request.ts'
import { fieldsOf, isMultipart } from './multipart/multipart.ts'
import { observerOf } from './observe.ts'
import { writeRefusal } from './refusal.ts'
import { refuseRepeatedHeaders } from './repeated-headers.ts'
import { type Report, reporterOf, type Subjects } from './report.ts'
import { Answer } from './representations/answer.ts'
import { corsOf } from './representations/cors.ts'
import { type Presenter, presenterOf } from './representations/present.ts'
import type { RequestExchange, RequestHooks } from './request-hooks.ts'
import { logOf, requestLogOf } from './request-log.ts'
import type { ResponseCache } from './response-cache.ts'
import type { Call, Route } from './route.ts'
import { createSlot } from './slot.ts'
import { traceRequest } from './trace.ts'

type Deps = Application['deps']
type Tenant = Application['tenant']

/** The parts that all routes of a process share. */
export interface Mounting {
  deps: Deps
  hooks: RequestHooks
  responseCache: ResponseCache
  admission: Admission
}

/** One route with the parts that its requests share. */
interface Mounted extends Mounting {
  route: Route
  reader: Route | undefined
  presenter: Presenter
}

/**
 * Returns the middleware of a route. Each request runs through tenant, rate limit, slot, authentication, START event, parsing,
 * handler, response, and SUCCESS or FAIL event. The `reader` of a PUT is the GET route of the resource that the PUT replaces.
 */
export function mount(route: Route, mounting: Mounting, reader: Route | undefined): (ctx: Context) => Promise<void> {
  const { deps, hooks } = mounting
  compileSchemas(route)
  const mounted = { ...mounting, route, reader, presenter: presenterOf(route, deps.largeAnswers) }
  const log = requestLogOf(route, deps, hooks)
  const reporter = reporterOf(route)
  if (isMultipart(route.consumes)) fieldsOf(route)
  const cors = Object.entries(corsOf(route) ?? {})
  const observe = observerOf(route)
  const serve = async (ctx: Context, request: Request) => {
    const isUpload = sendsForm(route, ctx)
    const report = reporter(ctx, deps, request)
    writeCommonHeaders(ctx, route, request, cors)
    try {
      refuseRepeatedHeaders(ctx.req)
      const own = hasDeadline(route) && !isUpload ? hooks.bind(deps, request) : deps
      await request.deadline.bound(enter({ ...mounted, deps: own }, ctx, request))
      // The duration of an upload depends on the client.
      if (isUpload) endDeadline(request)
      const refused = await run({ ...mounted, deps: own }, ctx, request, report)
      log.answered(ctx, request, refused)
    } catch (error) {
      const problem = problemOf(error, logOf(route, deps, request))
      const { tenant, requestId } = request
      report.fail(problem, tenant ?? (isUnavailable(problem) ? lastTenantOf(route, ctx, deps, hooks) : undefined))
      writeRefusal(ctx, problem, route, { deps, tenant, headers: ctx.headers, requestId })
      log.refused(ctx, request, problem)
    } finally {
      request.deadline.end()
      request.slot.end()
      observe(ctx.status, (performance.now() - request.arrivedAt) / 1000)
    }
  }
  return (ctx) => {
    const request = beginRequest(mounted, ctx)
    // Health checks arrive every few seconds.
    if (!tracing || route.host === 'any') return serve(ctx, request)
    return traceRequest(tracing, route, ctx, request, () => serve(ctx, request))
  }
}

/** Health checks have their own time limit. */
function hasDeadline({ host, isLongLived }: Route): boolean {
  return host !== 'any' && !isLongLived
}

function beginRequest({ route, deps, admission }: Mounted, ctx: Context): Request {
  const arrivedAt = performance.now()
  const { deadlineMs = deps.config.credentialDeadlineMs } = route
  return {
    arrivedAt,
    requestId: newOrderedId(deps.clock.now()),
    deadline: hasDeadline(route) ? createDeadline(deadlineMs) : noDeadline,
    slot: createSlot(admission, ctx.res),
    deadlineAt: arrivedAt + deadlineMs - rollbackTimeMs(deadlineMs),
    tenant: undefined,
    offerId: undefined,
    names: undefined,
    form: undefined,
    replacement: undefined,
  }
}

function writeCommonHeaders(
  ctx: Context,
  { deprecated }: Route,
  { requestId }: Request,
  cors: readonly [name: string, value: string][],
): void {
  ctx.res.setHeader('X-Request-Id', requestId)
  ctx.res.setHeader('Cache-Control', 'no-store')
  for (const [name, value] of cors) ctx.res.setHeader(name, value)
  if (deprecated) ctx.set(deprecationHeaders(deprecated, ctx.params))
}

/** Finds the tenant, checks the rate limit, and waits for a slot. A request over the rate limit does not enter the queue of its tenant. */
async function enter({ route, deps, hooks, responseCache }: Mounted, ctx: Context, request: Request): Promise<void> {
  const tenant = await tenantOf(route, ctx, deps, hooks)
  request.deadline.require()
  request.tenant = tenant
  if (!tenant) return
  await (responseCache.admissionOf(ctx) ?? hooks.admit(route, ctx, tenant))
  await request.slot.take(tenant.id)
}

function endDeadline(request: Request): void {
  request.deadline.end()
  request.deadline = noDeadline
}

/** Runs the handler and writes its answer. Returns the problem of an answer that is a refusal. Throws a problem. */
async function run(mounted: Mounted, ctx: Context, request: Request, report: Report): Promise<Problem | undefined> {
  const { route, deps, hooks, presenter, responseCache } = mounted
  const rawBody = rawBodyOf(ctx.req, bodyLimitBytesOf(route, request.tenant), request.slot.releaseWhileReading)
  const attribute = (offerId: string | null | undefined, names?: AttributedIds) => {
    request.offerId = offerId ?? undefined
    request.names = names ?? request.names
  }
  const { tenant, deadline } = request
  try {
    const exchange = { rawBody, attribute }
    const subjects = await authenticate(mounted, ctx, request, report, exchange)
    const handled = await deadline.bound(handle(mounted, ctx, request, { ...exchange, subjects }))
    if ('earlier' in handled) {
      report.succeed(writeStoredAnswer(ctx, handled.earlier))
      return undefined
    }
    const { call, media, answer, claim } = handled
    request.replacement?.reportReset(answer)
    request.form?.checkRead()
    const isCacheable = tenant !== undefined && responseCache.isCacheable(ctx, answer)
    const body = await presenter.write(ctx, answer, media, call, isCacheable ? 'whole' : undefined)
    const refused = answer instanceof Answer ? answer.refused : undefined
    await claim?.store(writtenAnswer(ctx), body)
    if (refused) {
      report.fail(refused, tenant)
      return refused
    }
    const eventGroup = report.succeed(body)
    if (isCacheable) responseCache.put(ctx, answer, { route, tenant, eventGroup })
    return undefined
  } catch (error) {
    const problem = problemOf(error, logOf(route, deps, request))
    throw (tenant && (await hooks.countWrong(problem, ctx, tenant))) ?? problem
  } finally {
    request.form?.close()
  }
}

function bodyLimitBytesOf({ bodyLimitBytes = defaultBodyLimitBytes, tenantBodyLimit }: Route, tenant?: Tenant): number {
  return tenant && tenantBodyLimit ? tenantBodyLimit.bytesOf(tenant) : bodyLimitBytes
}

interface Handled {
  call: Call<never, never, never>
  media: ReturnType<Presenter['choose']>
  answer: unknown
  claim?: IdempotencyClaim
}

/**
 * Counts the request in the rate limit of its tenant, parses it, and calls the handler. Does not call it after the deadline, not for a
 * change of a read-only tenant, and not for a repeated request, which gets the earlier answer.
 */
async function handle(
  { route, reader, deps, hooks, presenter }: Mounted,
  ctx: Context,
  request: Request,
  authenticated: Pick<RequestExchange, 'rawBody' | 'attribute'> & { subjects: Subjects },
): Promise<Handled | { earlier: StoredAnswer }> {
  const { tenant, deadline } = request
  if (tenant) {
    hooks.requireChangeable(route, tenant)
    await hooks.count(route, tenant)
  }
  const own = route.readsStandby ? await hooks.bindReads(deps) : deps
  const call: Call<never, never, never> = await createCall(ctx, request, {
    route,
    reader,
    deps: own,
    hooks,
    ...authenticated,
  })
  deadline.require()
  if (tenant && route.takesGuess?.(call.body)) hooks.admitGuess(ctx, tenant)
  const media = presenter.choose(ctx.headers)
  const key = idempotencyKeyOf(route, ctx)
  if (key === undefined) return { call, media, answer: await route.handle(call) }
  const keyed = { ctx, route, call, hooks, presenter, media, deadline }
  const handled = await (request.form ? handleFormUnderKey(key, keyed) : handleUnderKey(key, keyed))
  return 'earlier' in handled ? handled : { call, media, ...handled }
}

const noSubjects: Subjects = {}

/** Authenticates the request and reports its START event, also if the authentication fails. */
async function authenticate(
  { route: { access }, hooks, deps }: Mounted,
  ctx: Context,
  { tenant, deadline }: Request,
  report: Report,
  exchange: Pick<RequestExchange, 'rawBody' | 'attribute'>,
): Promise<Subjects> {
  if (access.kind === 'anyone') {
    report.start(noSubjects)
    return noSubjects
  }
  let subjects: Subjects | undefined
  try {
    subjects = await deadline.bound(hooks.authenticate(access, ctx, deps, { tenant, ...exchange }))
    if (tracing && subjects.caller) tracing.begin(ctx.headers.traceparent)
    return subjects
  } finally {
    report.start(subjects)
  }
}

/** Returns the problem that was thrown. Any other error is a bug: only the log shows it, under the request id. */
function problemOf(error: unknown, log: Log): Problem {
  const problem = findProblem(error)
  if (problem) return problem
  log.error({ err: error }, 'request failed')
  return new Problem('internal')
}

async function tenantOf(route: Route, ctx: Context, deps: Deps, hooks: RequestHooks): Promise<Tenant | undefined> {
  const host = route.host ?? 'tenant'
  if (host === 'any') return undefined
  const tenant = await hooks.findTenant(deps, ctx)
  if (!tenant || !isServedAt(host, tenant) || (tenant.view && !route.isOfViews))
    throw hooks.refuseHost(deps, tenant, route)
  if (tenant.isHostOfGoneView && route.isOfViews) throw hooks.goneView()
  return tenant
}

/** Returns the tenant that the host had when the process last read it. It is for the event of a request whose tenant cannot be read now. */
function lastTenantOf({ host = 'tenant' }: Route, ctx: Context, deps: Deps, hooks: RequestHooks): Tenant | undefined {
  const tenant = host === 'any' ? undefined : hooks.findLastTenant(deps, ctx)
  return tenant && isServedAt(host, tenant) ? tenant : undefined
}

function isUnavailable({ problem }: Problem): boolean {
  return problem === 'service_unavailable'
}

function isServedAt(host: NonNullable<Route['host']>, { kind }: Tenant): boolean {
  return host === 'either' || (host === 'platform') === (kind === 'platform')
}
