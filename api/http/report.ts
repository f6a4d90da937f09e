import type { Context } from 'koa'
import { z } from 'zod'
import type { AnalyticsEvent } from '../../shared/domain/operations/events.ts'
import { findProblem, type Problem, whyRefused } from '../../shared/errors.ts'
import { newOrderedId } from '../../shared/ids.ts'
import type { Application } from './application.ts'
import type { AttributedIds } from './attributed-ids.ts'
import { Uuid } from './fields.ts'
import type { Route } from './route.ts'

/** Who calls, as far as the access of the route asks. */
export interface Subjects {
  caller?: Application['caller']
  holder?: Application['holder']
}

/** One of the two, or neither, as far as it is known: also of who was refused for a lack of roles. */
type Who = Pick<NonNullable<Subjects['caller']>, 'clientId' | 'managementUserId'>

/** The events of one request. */
export interface Report {
  /** It is known who calls, or that it is nobody. */
  start(subjects: Subjects | undefined): void
  /** Returns the name of the crowd that is counted, where it is one of many that only read. */
  succeed(body: unknown): string | undefined
  /** Also without a start: of what was refused before. */
  fail(problem: Problem): void
}

export interface Reported {
  requestId: string
  tenant: Application['tenant'] | undefined
  /** The credential offer that it turned out to be about. */
  offerId: string | undefined
  /** Of whom, and in which session. */
  names: AttributedIds | undefined
}

/** START is told at once of somebody who is known, and of anybody else together with the end: floods of refusals and of public reads are counted. */
export function reporterOf(route: Route): (ctx: Context, deps: Application['deps'], request: Reported) => Report {
  if (!route.event) return () => silent
  const category = categoryOf(route)
  return (ctx, deps, request) => report({ route, category }, ctx, deps, request)
}

/** Of a route that no event tells of. */
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
  const whoOf = (): Who => subjects?.caller ?? ctx.state
  const isKnown = () =>
    subjects?.holder !== undefined || whoOf().clientId !== undefined || whoOf().managementUserId !== undefined

  function eventOf(outcome: string, data: Record<string, unknown>): AnalyticsEvent | undefined {
    const { requestId, tenant, offerId, names } = request
    if (!route.event || !tenant) return undefined
    const at = clock.now()
    const { clientId, managementUserId } = whoOf()
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
    start(who) {
      subjects = who
      const event = eventOf('START', startData(route, ctx))
      if (event && isKnown()) analytics.emit(event)
      else started = event
    },
    succeed(body) {
      const event = eventOf('SUCCESS', successData(ctx.params, body))
      if (event && route.aggregatesAnonymousEvents && !isKnown()) return analytics.emitAnonymous(started, event)
      if (started) analytics.emit(started)
      if (event) analytics.emit(event)
      return undefined
    },
    fail(problem) {
      const event = eventOf('FAIL', { error: errorOf(problem, request) })
      if (!event) return
      if (isKnown()) analytics.emit(event)
      else analytics.emitAnonymous(started, event)
    },
  }
}

/** The timeline of an offer shows the failed check. */
function errorOf(problem: Problem, { offerId }: Reported): Record<string, string> {
  const error = { type: problem.code, message: whyRefused(problem) }
  return offerId === undefined ? error : { ...error, check: problem.check ?? 'request' }
}

function namesOf(offerId: string | undefined, { userId, sessionId }: AttributedIds = {}): Record<string, string> {
  return { ...(offerId && { offerId }), ...(userId && { userId }), ...(sessionId && { sessionId }) }
}

function categoryOf({ tag }: Route): string {
  return tag.toUpperCase().replaceAll(/[^A-Z]+/g, '_')
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

function successData(params: Record<string, string>, answered: unknown): Record<string, unknown> {
  // Some lists of the interface are an array of one page.
  const body: unknown = Array.isArray(answered) ? answered[0] : answered
  if (typeof body !== 'object' || body === null) return idsOf(params)
  if ('data' in body && Array.isArray(body.data)) {
    return {
      entriesCount: body.data.length,
      ...('nextCursor' in body && body.nextCursor ? { nextCursor: body.nextCursor } : {}),
    }
  }
  if ('id' in body && typeof body.id === 'string') return { id: body.id }
  // Clients are known by this name.
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
