import type { Context } from 'koa'
import { z } from 'zod'
import type { Deadline } from '../../shared/deadline.ts'
import type { Application } from './application.ts'
import { defaultBodyLimitBytes, mediaTypeOf, parseBody, parseParameters } from './body.ts'
import { ignoredFieldsReporter, type ReportIgnored } from './ignored.ts'
import { fieldsOf, isMultipart, type Multipart } from './multipart/multipart.ts'
import { readForm } from './multipart/read-form.ts'
import type { Form, FormRules } from './multipart/read-multipart.ts'
import { parsePart } from './problems.ts'
import { beginReplacement, type Replacement } from './replacement.ts'
import type { Subjects } from './report.ts'
import type { RequestExchange, RequestHooks } from './request-hooks.ts'
import type { Logged } from './request-log.ts'
import type { Call, Route } from './route.ts'
import type { Slot } from './slot.ts'

/** The state of one request in the pipeline. */
export interface Request extends Logged {
  deadline: Deadline
  slot: Slot
  /** The time by `performance.now()` until which a handler waits for other processes and hosts. */
  deadlineAt: number
  /** The form that was read, if the route consumes one. */
  form: Form | undefined
  /** Set for a PUT. */
  replacement: Replacement | undefined
}

/** The parts of a request from which its call is built. */
interface CallParts extends Pick<RequestExchange, 'rawBody' | 'attribute'> {
  route: Route
  /** The GET route that shows what a PUT replaces. */
  reader: Route | undefined
  deps: Application['deps']
  hooks: RequestHooks
  subjects: Subjects
}

/** Reads and parses the parts of a request. Returns the call of its handler. */
export async function createCall(ctx: Context, request: Request, parts: CallParts): Promise<Call<never, never, never>> {
  const { route, reader, deps, hooks, subjects, rawBody, attribute } = parts
  const { requestId, deadlineAt, tenant } = request
  const reportIgnored = ignoredFieldsReporter(ctx)
  const params = route.params && parsePart(route.params, ctx.params, 'params')
  const query = queryOf(route, ctx, reportIgnored)
  if (isMultipart(route.consumes)) {
    // Uploads have their own limit.
    if (sendsForm(route, ctx)) request.slot.end()
    request.form = await readForm(ctx.req, rawBody, rulesOf(route, route.consumes))
  }
  const { headers } = ctx
  if (reader) {
    const reading = { deps, tenant, tenantId: tenant?.id, caller: subjects.caller, params, headers }
    request.replacement = await beginReplacement(ctx, route, reader, reading, query)
  }
  const { isEncrypted, form, readBody } = bodyOf(ctx, request, parts, reportIgnored)
  const body = await readBody()
  // Plain values instead of getters. With getters in a literal, each call has a hidden class of its own, through which V8's
  // old generation retains the request.
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
    url: tenant && tenant.issuer + ctx.path,
    deadlineAt,
    rawBody: route.body && !request.form ? await rawBody() : noBytes,
    isEncrypted,
    clientAddress: () => hooks.addressOf(ctx),
    attribute,
    commitAnswer: async () => {},
    file: () => required(request.form?.upload, 'a file'),
    form,
    caller: subjects.caller,
    holder: subjects.holder,
  }
  // Boundary: the schemas and the access of the route type its handler. A handler of a route without a tenant reads none.
  return call as unknown as Call<never, never, never>
}

/** Whether the request is read as a form with a file. Some routes also accept a small JSON body. */
export function sendsForm({ consumes }: Route, { req }: Context): boolean {
  if (!isMultipart(consumes)) return false
  return consumes.orJson === undefined || mediaTypeOf(req) !== 'application/json'
}

function bodyOf(ctx: Context, request: Request, { route, deps, rawBody }: CallParts, reportIgnored: ReportIgnored) {
  const { consumes = ['application/json'] } = route
  const open = openerOf(route, deps, request)
  const isEncrypted = open !== undefined && mediaTypeOf(ctx.req) === 'application/jwt'
  const parse = (sent: unknown) => {
    // The header is not encrypted. It must not show names of an encrypted body.
    if (route.body && !isEncrypted) reportIgnored(route.body, sent)
    const whole = request.replacement ? request.replacement.complete(sent) : sent
    return route.body && parsePart(route.body, whole ?? {}, 'body')
  }
  const form = () => parse(required(request.form, 'a form').fields())
  const readBody = async (): Promise<unknown> => {
    if (!isMultipart(consumes)) return parse(route.body && (await parseBody(ctx.req, rawBody, consumes, open)))
    return consumes.isReadFirst ? undefined : form()
  }
  return { isEncrypted, form, readBody }
}

/** Returns the function that decrypts a body of `application/jwt`, if the route accepts one. */
function openerOf({ openBody }: Route, deps: Application['deps'], { tenant, deadlineAt }: Request) {
  return openBody && ((jwe: string) => openBody({ deps, tenant: required(tenant, 'a tenant'), deadlineAt }, jwe))
}

function queryOf(route: Route, { querystring }: Context, reportIgnored: ReportIgnored): unknown {
  if (!route.query) {
    if (querystring !== '') reportIgnored(noQuery, Object.fromEntries(new URLSearchParams(querystring)))
    return undefined
  }
  const parameters = parseParameters(querystring)
  reportIgnored(route.query, parameters)
  return parsePart(route.query, parameters, 'query')
}

const noQuery = z.object({})

function rulesOf(route: Route, consumes: Multipart): FormRules {
  return { ...consumes, fields: fieldsOf(route), fieldLimitBytes: route.bodyLimitBytes ?? defaultBodyLimitBytes }
}

const noBytes = Buffer.alloc(0)

function required<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`the route does not receive ${what}`)
  return value
}
