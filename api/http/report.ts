import type { Context } from 'koa'
import { z } from 'zod'
import { type AnalyticsEvent, type EventStart, joinStart } from '../../shared/domain/operations/events.ts'
import { describeRefusal } from '../../shared/errors/describe-refusal.ts'
import type { Problem } from '../../shared/errors/errors.ts'
import { newOrderedId } from '../../shared/ids.ts'
import { countLostEvent } from '../../shared/metrics/lost-events.ts'
import type { Application } from './application.ts'
import type { AttributedIds } from './attributed-ids.ts'
import { Uuid } from './fields.ts'
import type { Route } from './route.ts'

/** The authenticated subject of a request, according to the access of its route. */
export interface Subjects {
  caller?: Application['caller']
  holder?: Application['holder']
}

/** The ids of the management caller, also if its roles were not sufficient. At most one is set. */
type CallerIds = Pick<NonNullable<Subjects['caller']>, 'clientId' | 'managementUserId'>

/** The events of one request. START is emitted with the end of the request, and stored in one row with it. */
export interface Report {
  /** Reports START after authentication. `subjects` is undefined if it failed. */
  start(subjects: Subjects | undefined): void
  /** Reports SUCCESS. Returns the event group if the event is aggregated. */
  succeed(body: unknown): string | undefined
  /**
   * Reports FAIL, also for a request that was refused before START. `tenant` is the last known one if the tenant of the request cannot be
   * read.
   */
  fail(problem: Problem, tenant: Application['tenant'] | undefined): void
}

export interface Reported {
  requestId: string
  tenant: Application['tenant'] | undefined
  /** The credential offer of the request. */
  offerId: string | undefined
  names: AttributedIds | undefined
}

/** Makes the reports of a route. */
export function reporterOf(route: Route): (ctx: Context, deps: Application['deps'], request: Reported) => Report {
  if (!route.event) return () => silent
  const category = categoryOf(route)
  return (ctx, deps, request) => report({ route, category }, ctx, deps, request)
}

/** The report of a route without events. */
const silent: Report = { start() {}, succeed: () => undefined, fail() {} }

function report(
  { route, category }: { route: Route; category: string },
  ctx: Context,
  deps: Application['deps'],
  request: Reported,
): Report {
  const { analytics, clock } = deps
  let subjects: Subjects | undefined
  let start: EventStart | undefined
  const callerIds = (): CallerIds => subjects?.caller ?? ctx.state
  const isAnonymous = () => {
    const { clientId, managementUserId } = callerIds()
    return subjects?.holder === undefined && clientId === undefined && managementUserId === undefined
  }

  /** Returns the end of the request with its start. */
  function eventsOf(outcome: string, data: Record<string, unknown>, tenant = request.tenant): AnalyticsEvent[] {
    const { requestId, offerId, names } = request
    if (!route.event || !tenant) return []
    const at = clock.now()
    const { clientId, managementUserId } = callerIds()
    const isManagement = clientId !== undefined || managementUserId !== undefined
    const end: AnalyticsEvent = {
      id: newOrderedId(at),
      tenantId: tenant.id,
      type: `${route.event}_${outcome}`,
      category,
      timestamp: at.toISOString(),
      requestId,
      clientId,
      managementUserId,
      walletClientId: subjects?.holder?.clientId ?? undefined,
      offerId,
      objectId: offerId === undefined && isManagement ? objectOf(route, ctx.params, data) : undefined,
      data: { ...namesOf(offerId, { viewId: tenant.view?.id, ...names }), ...data },
    }
    return start ? joinStart(end, start) : [end]
  }

  return {
    start(authenticated) {
      subjects = authenticated
      start = { timestamp: clock.now().toISOString(), data: startData(route, ctx) }
    },
    succeed(body) {
      const events = eventsOf('SUCCESS', successData(ctx.params, body))
      if (route.aggregatesAnonymousEvents && isAnonymous()) return analytics.emitAnonymous(events)
      events.forEach(analytics.emit)
      return undefined
    },
    fail(problem, tenant) {
      if (isPageRead(route, problem, subjects)) return
      const events = eventsOf('FAIL', { error: errorOf(route, problem, request) }, tenant)
      if (events.length === 0 && problem.problem === 'service_unavailable') countLostEvent('tenant_unknown')
      if (isAnonymous()) analytics.emitAnonymous(events)
      else events.forEach(analytics.emit)
    },
  }
}

/**
 * Whether a page of the console read an object that does not exist, such as one that was deleted meanwhile. No person has made a mistake,
 * so this is no failure.
 */
function isPageRead({ method }: Route, { problem }: Problem, subjects: Subjects | undefined): boolean {
  return method === 'GET' && problem === 'not_found' && subjects?.caller?.consoleSessionId !== undefined
}

/** Returns the id of the object that a request creates or changes: of a path with several ids, the last. Undefined for a read. */
function objectOf(
  { method }: Route,
  params: Record<string, string>,
  { id, clientId }: Record<string, unknown>,
): string | undefined {
  if (method === 'GET') return undefined
  const ids = [...Object.values(params).reverse(), clientId, id].reverse()
  return ids.find((each): each is string => Uuid.safeParse(each).success)
}

/** The timeline of an offer shows the failed check. A refused access token of a wallet belongs to no offer. */
function errorOf({ access }: Route, problem: Problem, { offerId }: Reported): Record<string, string> {
  const error = { type: problem.code, message: describeRefusal(problem) }
  if (offerId === undefined && access.kind !== 'wallet') return error
  return { ...error, check: problem.check ?? 'request' }
}

function namesOf(
  offerId: string | undefined,
  { userId, sessionId, viewId, keyBinding }: AttributedIds,
): Record<string, unknown> {
  return {
    ...(offerId && { offerId }),
    ...(userId && { userId }),
    ...(sessionId && { sessionId }),
    ...(viewId && { view: viewId }),
    ...(keyBinding === false && { keyBinding }),
  }
}

function categoryOf({ tag }: Route): string {
  return tag.toUpperCase().replaceAll(/[^A-Z]+/g, '_')
}

const limitOf = z.coerce.number().int().min(1).max(1000).catch(100)

/** Returns the `limit` of a list, otherwise the valid ids in the path. */
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

function successData(params: Record<string, string>, answer: unknown): Record<string, unknown> {
  // Some lists of the interface are an array with one page.
  const body: unknown = Array.isArray(answer) ? answer[0] : answer
  if (typeof body !== 'object' || body === null) return idsOf(params)
  if ('data' in body && Array.isArray(body.data)) {
    return {
      entriesCount: body.data.length,
      ...('nextCursor' in body && body.nextCursor ? { nextCursor: body.nextCursor } : {}),
    }
  }
  if ('id' in body && typeof body.id === 'string') return { id: body.id }
  // The id of a client has this name.
  if ('clientId' in body && typeof body.clientId === 'string') return { ...params, clientId: body.clientId }
  return idsOf(params)
}
