import type { Context } from 'koa'
import { z } from 'zod'
import type { AnalyticsEvent } from '../../shared/domain/operations/events.ts'
import { describeRefusal, findProblem, type Problem } from '../../shared/errors.ts'
import { newOrderedId } from '../../shared/ids.ts'
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

/** The events of one request. */
export interface Report {
  /** Reports START after authentication. `subjects` is undefined if it failed. */
  start(subjects: Subjects | undefined): void
  /** Reports SUCCESS. Returns the event group if the event is aggregated. */
  succeed(body: unknown): string | undefined
  /** Reports FAIL, also for a request that was refused before START. */
  fail(problem: Problem): void
}

export interface Reported {
  requestId: string
  tenant: Application['tenant'] | undefined
  /** The credential offer of the request. */
  offerId: string | undefined
  names: AttributedIds | undefined
}

/**
 * Makes the reports of a route. START of an authenticated request is emitted at once. START of an anonymous request is emitted with its
 * end, so that floods of refusals and public reads can be aggregated.
 */
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
  let started: AnalyticsEvent | undefined
  const callerIds = (): CallerIds => subjects?.caller ?? ctx.state
  const isAnonymous = () => {
    const { clientId, managementUserId } = callerIds()
    return subjects?.holder === undefined && clientId === undefined && managementUserId === undefined
  }

  function eventOf(outcome: string, data: Record<string, unknown>): AnalyticsEvent | undefined {
    const { requestId, tenant, offerId, names } = request
    if (!route.event || !tenant) return undefined
    const at = clock.now()
    const { clientId, managementUserId } = callerIds()
    return {
      id: newOrderedId(at),
      tenantId: tenant.id,
      type: `${route.event}_${outcome}`,
      category,
      timestamp: at.toISOString(),
      requestId,
      clientId,
      managementUserId,
      walletClientId: subjects?.holder?.clientId ?? undefined,
      offerId: outcome === 'START' ? undefined : offerId,
      data: outcome === 'START' ? data : { ...namesOf(offerId, names), ...data },
    }
  }

  return {
    start(authenticated) {
      subjects = authenticated
      const event = eventOf('START', startData(route, ctx))
      if (event && !isAnonymous()) analytics.emit(event)
      else started = event
    },
    succeed(body) {
      const event = eventOf('SUCCESS', successData(ctx.params, body))
      if (event && route.aggregatesAnonymousEvents && isAnonymous()) return analytics.emitAnonymous(started, event)
      if (started) analytics.emit(started)
      if (event) analytics.emit(event)
      return undefined
    },
    fail(problem) {
      const event = eventOf('FAIL', { error: errorOf(problem, request) })
      if (!event) return
      if (isAnonymous()) analytics.emitAnonymous(started, event)
      else analytics.emit(event)
    },
  }
}

/** The timeline of an offer shows the failed check. */
function errorOf(problem: Problem, { offerId }: Reported): Record<string, string> {
  const error = { type: problem.code, message: describeRefusal(problem) }
  return offerId === undefined ? error : { ...error, check: problem.check ?? 'request' }
}

function namesOf(offerId: string | undefined, { userId, sessionId }: AttributedIds = {}): Record<string, string> {
  return { ...(offerId && { offerId }), ...(userId && { userId }), ...(sessionId && { sessionId }) }
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

/** Waits for the rate limit and reports its refusal of the request. */
export async function reportRefusal(admission: Promise<void>, report: Report): Promise<void> {
  try {
    await admission
  } catch (error) {
    const problem = findProblem(error)
    if (problem) report.fail(problem)
    throw error
  }
}
