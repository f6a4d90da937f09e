import type { Context } from 'koa'
import { z } from 'zod'
import { createDeadline, type Deadline, noDeadline, timeToUndo } from '../../shared/deadline.ts'
import { findProblem, Problem } from '../../shared/errors.ts'
import { newOrderedId } from '../../shared/ids.ts'
import type { Log } from '../../shared/log.ts'
import type { Admission } from './admission.ts'
import type { Application } from './application.ts'
import type { AttributedIds } from './attributed-ids.ts'
import { defaultBodyLimitBytes, mediaTypeOf, parseBody, parseParameters, rawBodyOf } from './body.ts'
import { deprecationHeaders } from './deprecation.ts'
import { ignoredFieldsReporter, type ReportIgnored } from './ignored.ts'
import { fieldsOf, isMultipart, type Multipart } from './multipart/multipart.ts'
import { readForm } from './multipart/read-form.ts'
import type { Form, FormRules } from './multipart/read-multipart.ts'
import { observerOf } from './observe.ts'
import { parsePart } from './problems.ts'
import { writeRefusal } from './refusal.ts'
import { refuseRepeatedHeaders } from './repeated-headers.ts'
import { beginReplacement, type Replacement } from './replacement.ts'
import { type Report, reporterOf, reportRefusal, type Subjects } from './report.ts'
import { Answer } from './representations/answer.ts'
import { corsOf } from './representations/cors.ts'
import { type Presenter, presenterOf } from './representations/present.ts'
import type { RequestExchange, RequestHooks } from './request-hooks.ts'
import { type Logged, logOf, requestLogOf } from './request-log.ts'
import type { ResponseCache } from './response-cache.ts'
import type { Call, Route } from './route.ts'
import { createSlot, type Slot } from './slot.ts'

type Deps = Application['deps']
type Tenant = Application['tenant']

/** What all routes of a process share. */
export interface Mounting {
  deps: Deps
  hooks: RequestHooks
  responseCache: ResponseCache
  admission: Admission
}

/**
 * The request of one route, through the one pipeline: tenant, rate limit, slot, caller, START, parse, handle, present, SUCCESS or FAIL. The
 * `reader` of a PUT is the route that shows what the PUT replaces.
 */
export function mount(
  route: Route,
  { deps, hooks, responseCache, admission }: Mounting,
  reader: Route | undefined,
): (ctx: Context) => Promise<void> {
  const log = requestLogOf(route, deps, hooks)
  const reporter = reporterOf(route)
  const presenter = presenterOf(route, deps.largeAnswers)
  if (isMultipart(route.consumes)) fieldsOf(route)
  const cors = Object.entries(corsOf(route) ?? {})
  const observe = observerOf(route)
  // Health checks have a limit of their own.
  const hasDeadline = route.host !== 'any'
  const { credentialDeadlineMs } = deps.config
  return async (ctx) => {
    const arrivedAt = performance.now()
    const isUpload = sendsForm(route, ctx)
    const request: Request = {
      arrivedAt,
      requestId: newOrderedId(deps.clock.now()),
      deadline: hasDeadline ? createDeadline(credentialDeadlineMs) : noDeadline,
      slot: createSlot(admission, ctx.res),
      deadlineAt: arrivedAt + credentialDeadlineMs - timeToUndo(credentialDeadlineMs),
      tenant: undefined,
      offerId: undefined,
      names: undefined,
      form: undefined,
      replacement: undefined,
    }
    ctx.res.setHeader('X-Request-Id', request.requestId)
    ctx.res.setHeader('Cache-Control', 'no-store')
    for (const [name, value] of cors) ctx.res.setHeader(name, value)
    if (route.deprecated) ctx.set(deprecationHeaders(route.deprecated, ctx.params))
    try {
      refuseRepeatedHeaders(ctx.req)
      const own = hasDeadline && !isUpload ? hooks.bind(deps, request) : deps
      const tenant = await request.deadline.bound(tenantOf(route, ctx, own, hooks))
      request.tenant = tenant
      const report = reporter(ctx, deps, request)
      // A request over the rate limit takes no place in the line of its tenant.
      if (tenant)
        await request.deadline.bound(
          reportRefusal(responseCache.admissionOf(ctx) ?? hooks.admit(route, ctx, tenant), report),
        )
      const turn = tenant && request.slot.take(tenant.id)
      if (turn) await request.deadline.bound(turn)
      // A file takes as long as its sender needs.
      if (isUpload) endDeadline(request)
      const refused = await run(route, ctx, own, hooks, request, report, {
        presenter,
        responseCache,
        reader,
      })
      log.answered(ctx, request, refused)
    } catch (error) {
      const problem = problemOf(error, logOf(route, deps, request))
      const { tenant, requestId } = request
      writeRefusal(ctx, problem, route, { deps, tenant, headers: ctx.headers, requestId })
      log.refused(ctx, request, problem)
    } finally {
      request.deadline.end()
      request.slot.end()
      observe(ctx.status, (performance.now() - arrivedAt) / 1000)
    }
  }
}

/** Whether the request is read as a form with a file. Some routes take a small JSON body in its place. */
function sendsForm({ consumes }: Route, { req }: Context): boolean {
  if (!isMultipart(consumes)) return false
  return consumes.orJson === undefined || mediaTypeOf(req) !== 'application/json'
}

interface Request extends Logged {
  deadline: Deadline
  slot: Slot
  /** Until when a handler waits for others, by `performance.now()`. */
  deadlineAt: number
  /** What came, where the route consumes a form. */
  form: Form | undefined
  /** Of a PUT. */
  replacement: Replacement | undefined
}

function endDeadline(request: Request): void {
  request.deadline.end()
  request.deadline = noDeadline
}

async function run(
  route: Route,
  ctx: Context,
  deps: Deps,
  hooks: RequestHooks,
  request: Request,
  report: Report,
  {
    presenter,
    responseCache,
    reader,
  }: { presenter: Presenter; responseCache: ResponseCache; reader: Route | undefined },
): Promise<Problem | undefined> {
  const rawBody = rawBodyOf(ctx.req, route.bodyLimitBytes ?? defaultBodyLimitBytes, request.slot.receive)
  const attribute = (offerId: string | null | undefined, names?: AttributedIds) => {
    request.offerId = offerId ?? undefined
    request.names = names ?? request.names
  }
  const { tenant, deadline } = request
  try {
    const subjects =
      route.access.kind === 'anyone'
        ? noSubjects
        : await deadline
            .bound(hooks.authenticate(route.access, ctx, deps, { tenant, rawBody, attribute }))
            .catch((error: unknown) => ({ error }))
    report.start('error' in subjects ? undefined : subjects)
    if ('error' in subjects) throw subjects.error
    if (tenant) await deadline.bound(hooks.count(route, tenant))
    const call = await deadline.bound(
      callOf(route, ctx, deps, request, subjects, { rawBody, attribute, reader, hooks }),
    )
    if (tenant && route.takesGuess?.(call.body)) hooks.admitGuess(ctx, tenant)
    const media = presenter.choose(ctx.headers)
    const answer = await deadline.bound(route.handle(call))
    request.replacement?.reportReset(answer)
    request.form?.checkRead()
    const isStanding = tenant !== undefined && responseCache.isCacheable(ctx, answer)
    const body = await presenter.write(ctx, answer, media, call, isStanding ? 'whole' : undefined)
    const refused = answer instanceof Answer ? answer.refused : undefined
    if (refused) {
      report.fail(refused)
      return refused
    }
    const crowd = report.succeed(body)
    if (isStanding) responseCache.put(ctx, answer, { route, tenant, crowd })
    return undefined
  } catch (error) {
    const problem = problemOf(error, logOf(route, deps, request))
    const refusal = (tenant && (await hooks.countWrong(problem, ctx, tenant))) ?? problem
    report.fail(refusal)
    throw refusal
  } finally {
    request.form?.close()
  }
}

const noSubjects: Subjects = {}

/** Problems are for the caller; everything else is a bug, told in the log under the request id alone. */
function problemOf(error: unknown, log: Log): Problem {
  const problem = findProblem(error)
  if (problem) return problem
  log.error({ err: error }, 'a request failed')
  return new Problem('internal')
}

async function tenantOf(route: Route, ctx: Context, deps: Deps, hooks: RequestHooks): Promise<Tenant | undefined> {
  const host = route.host ?? 'tenant'
  if (host === 'any') return undefined
  const tenant = await hooks.findTenant(deps, ctx)
  const wanted = host === 'either' || (host === 'platform') === (tenant?.kind === 'platform')
  if (!tenant || !wanted) throw hooks.refuseHost(deps, tenant, route)
  return tenant
}

async function callOf(
  route: Route,
  ctx: Context,
  deps: Deps,
  request: Request,
  subjects: Subjects,
  {
    rawBody,
    attribute,
    reader,
    hooks,
  }: Pick<RequestExchange, 'rawBody' | 'attribute'> & { reader: Route | undefined; hooks: RequestHooks },
): Promise<Call<never, never, never>> {
  const tell = ignoredFieldsReporter(ctx)
  const params = route.params && parsePart(route.params, ctx.params, 'params')
  const query = queryOf(route, ctx, tell)
  const { requestId, deadlineAt, tenant } = request
  const { openBody, consumes = ['application/json'] } = route
  const open = openBody && ((jwe: string) => openBody({ deps, tenant: required(tenant, 'a tenant'), deadlineAt }, jwe))
  if (isMultipart(consumes)) {
    // Uploads have a limit of their own.
    if (sendsForm(route, ctx)) request.slot.end()
    request.form = await readForm(ctx.req, rawBody, rulesOf(route, consumes))
  }
  const isEncrypted = open !== undefined && mediaTypeOf(ctx.req) === 'application/jwt'
  const { headers } = ctx
  if (reader) {
    const reading = { deps, tenant, tenantId: tenant?.id, params, headers }
    request.replacement = await beginReplacement(ctx, route, reader, reading, query)
  }
  const parse = (sent: unknown) => {
    // What came encrypted is not told in clear, not even its names.
    if (route.body && !isEncrypted) tell(route.body, sent)
    const whole = request.replacement ? request.replacement.complete(sent) : sent
    return route.body && parsePart(route.body, whole ?? {}, 'body')
  }
  const form = () => parse(required(request.form, 'a form').fields())
  const formOrJson = async (): Promise<unknown> => {
    if (!isMultipart(consumes)) return parse(route.body && (await parseBody(ctx.req, rawBody, consumes, open)))
    return consumes.isReadFirst ? undefined : form()
  }
  const body = await formOrJson()
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
    headers: request.replacement?.headers ?? headers,
    method: ctx.method,
    url: tenant && tenant.baseUrl + ctx.path,
    deadlineAt,
    rawBody: route.body && !request.form ? await rawBody() : noBytes,
    isEncrypted,
    clientAddress: () => hooks.addressOf(ctx),
    attribute,
    file: () => required(request.form?.upload, 'a file'),
    form,
    caller: subjects.caller,
    holder: subjects.holder,
  }
  // Boundary: the parts were parsed by the route's own schemas, which typed its handler; one without a tenant asks for none.
  return call as unknown as Call<never, never, never>
}

function queryOf(route: Route, { querystring }: Context, tell: ReportIgnored): unknown {
  if (!route.query) {
    if (querystring !== '') tell(noQuery, Object.fromEntries(new URLSearchParams(querystring)))
    return undefined
  }
  const given = parseParameters(querystring)
  tell(route.query, given)
  return parsePart(route.query, given, 'query')
}

const noQuery = z.object({})

function rulesOf(route: Route, consumes: Multipart): FormRules {
  return { ...consumes, fields: fieldsOf(route), fieldLimitBytes: route.bodyLimitBytes ?? defaultBodyLimitBytes }
}

const noBytes = Buffer.alloc(0)

function required<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`this route has no ${what}`)
  return value
}
