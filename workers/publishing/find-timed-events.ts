import type { Reader } from '../../db/client.ts'
import type { Cursor } from '../../db/page.ts'
import { findActiveAccessCertificate } from '../../db/repos/issuance/access-certificates.ts'
import { announceFound, type FoundEvent } from '../../db/repos/operations/webhooks/change-announcements.ts'
import {
  advanceFound,
  findEndingCertificates,
  findExpiredOffers,
  findFindingWebhooks,
  findRecordedFailures,
  type Range,
} from '../../db/repos/operations/webhooks/found-events.ts'
import { dayMs, plusMs } from '../../shared/clock.ts'
import { certificateEndingDays, type FoundKind } from '../../shared/domain/operations/change-events.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'

/** A run ends before the next run starts. The next run continues where this one ended. */
const limits = { runMs: 30_000, pageSize: 2_000 }
/** A transaction with an earlier time can commit later. */
const settledAfterMs = 5_000

/** A tenant with webhooks that receive events which a job finds. */
interface Search {
  tenantId: string
  webhookIds: string[]
  /** The earliest time of the enabled webhooks. Absent if all are disabled: a disabled webhook receives no event. */
  after?: Date
  /** The kinds of the enabled webhooks. */
  kinds: Set<string>
}

interface Run extends WorkerDeps {
  at: Date
  settledAt: Date
  limits: typeof limits
  /** When the search ends, by `performance.now()`. All kinds share this time. */
  endsAt: number
  /** The searches by the ids of tenants. A tenant that fails is removed, and the next run searches it again. */
  searches: Map<string, Search>
  failed(err: unknown, tenantId: string): void
}

/**
 * Writes the events that no request causes to the outbox: expired and failed offers, and ending certificates. A row of each webhook has the
 * time until which they were found. It is stored after the events. A repeated event has the same id, so it is delivered once. If a tenant
 * fails, the run logs the error, continues with the others and throws the first error at its end.
 */
export async function findTimedEvents(deps: WorkerDeps, limited = limits): Promise<void> {
  const at = deps.clock.now()
  const settledAt = plusMs(at, -settledAfterMs)
  const searches = await findSearches(deps, settledAt, limited.pageSize)
  const errors: unknown[] = []
  const failed = (err: unknown, tenantId: string) => {
    deps.log.error({ err, tenantId }, 'search for timed events failed')
    errors.push(err)
    searches.delete(tenantId)
  }
  const endsAt = performance.now() + limited.runMs
  const run = { ...deps, at, settledAt, limits: limited, endsAt, searches, failed }
  const ends: [FoundKind, Date][] = [
    ['OfferExpired', await findOfAll(run, 'OfferExpired', findExpired)],
    ['OfferFailed', await findOfAll(run, 'OfferFailed', findFailed)],
  ]
  for (const search of [...searches.values()]) {
    const untils = ends.flatMap(([kind, until]) => (search.kinds.has(kind) ? [until.getTime()] : []))
    await finish(run, search, new Date(Math.min(settledAt.getTime(), ...untils)))
  }
  if (errors.length > 0) throw errors[0]
}

async function findSearches({ db }: WorkerDeps, settledAt: Date, pageSize: number): Promise<Map<string, Search>> {
  const searches = new Map<string, Search>()
  let cursor: Cursor | undefined
  for (;;) {
    const page = await findFindingWebhooks(db.read, settledAt, pageSize, cursor)
    for (const { id, tenantId, events, disabled, foundUntil } of page) {
      const search: Search = searches.get(tenantId) ?? { tenantId, webhookIds: [], kinds: new Set() }
      searches.set(tenantId, search)
      search.webhookIds.push(id)
      if (disabled) continue
      // The earliest comes first.
      search.after ??= foundUntil
      for (const kind of events) search.kinds.add(kind)
    }
    const last = page[pageSize - 1]
    if (!last) return searches
    cursor = { at: last.foundUntil, id: last.id }
  }
}

/** A row that can be the reason of an event. `event` is absent if the row is no reason any more. */
interface FoundRow {
  id: string
  tenantId: string
  /** The order of the rows. */
  foundAt: Date
  event: FoundEvent | undefined
}

/** Finds rows of all tenants in pages, in the order of `foundAt`, then `id`. */
type Find = (db: Reader, range: Range) => Promise<FoundRow[]>

const findExpired: Find = async (db, range) =>
  (await findExpiredOffers(db, range)).map(({ id, tenantId, expiresAt, isUnclaimed }) => ({
    ...{ id, tenantId, foundAt: expiresAt },
    event: isUnclaimed ? { kind: 'OfferExpired', payload: { credentialOfferId: id }, at: expiresAt } : undefined,
  }))

const findFailed: Find = async (db, range) =>
  (await findRecordedFailures(db, range)).map(({ id, tenantId, recordedAt, failedAt, check, isCurrent }) => ({
    ...{ id, tenantId, foundAt: recordedAt },
    event: isCurrent ? { kind: 'OfferFailed', payload: { credentialOfferId: id, check }, at: failedAt } : undefined,
  }))

/**
 * Announces the events of a kind of all tenants, in pages. Returns the time until which all were read. If the time of the run is up, this is
 * before the last page ends: other rows can have the same millisecond. At least one millisecond is read completely.
 */
async function findOfAll(run: Run, kind: FoundKind, find: Find): Promise<Date> {
  const { db, settledAt, searches, limits, endsAt } = run
  let cursor: Cursor | undefined
  for (;;) {
    const starts = [...searches.values()].flatMap(({ after, kinds }) =>
      after && kinds.has(kind) ? [after.getTime()] : [],
    )
    if (starts.length === 0) return settledAt
    const after = new Date(Math.min(...starts))
    const page = await find(db.read, { after, until: settledAt, cursor, limit: limits.pageSize })
    for (const [tenantId, rows] of Map.groupBy(page, (row) => row.tenantId)) {
      const start = searches.get(tenantId)?.after
      const events = rows.flatMap(({ foundAt, event }) => (event && start && foundAt > start ? [event] : []))
      await announce(run, tenantId, events)
    }
    const last = page[limits.pageSize - 1]
    if (!last) return settledAt
    cursor = { at: last.foundAt, id: last.id }
    const complete = plusMs(last.foundAt, -1)
    if (performance.now() >= endsAt && complete > after) return complete
  }
}

async function announce(run: Run, tenantId: string, events: FoundEvent[]): Promise<void> {
  if (events.length === 0) return
  try {
    await run.db.tx((tx) => announceFound(tx, tenantId, events, run.at))
    run.bus.poke()
  } catch (err) {
    run.failed(err, tenantId)
  }
}

/** Announces the ending certificates of the tenant and stores the time until which its events were found. */
async function finish(run: Run, { tenantId, webhookIds, after, kinds }: Search, until: Date): Promise<void> {
  const { db, at, bus } = run
  if (after && after >= until) return
  try {
    const ending = after && kinds.has('CertificateEnding') ? await findEnding(run, tenantId, after, until) : []
    await db.tx(async (tx) => {
      await announceFound(tx, tenantId, ending, at)
      // The order of locks.
      await advanceFound(tx, tenantId, webhookIds.toSorted(), until)
    })
    if (ending.length > 0) bus.poke()
  } catch (err) {
    run.failed(err, tenantId)
  }
}

async function findEnding({ db, limits }: Run, tenantId: string, after: Date, until: Date): Promise<FoundEvent[]> {
  const events: FoundEvent[] = []
  for (const days of certificateEndingDays) {
    const range = { after: plusMs(after, days * dayMs), until: plusMs(until, days * dayMs), limit: limits.pageSize }
    let cursor: Cursor | undefined
    do {
      const page = await findEndingCertificates(db.read, tenantId, { ...range, cursor })
      events.push(...page.map((each) => endingEvent(each, days)))
      const last = page[limits.pageSize - 1]
      cursor = last && { at: last.notAfter, id: last.id }
    } while (cursor)
    const access = await findActiveAccessCertificate(db.read, tenantId)
    if (access && access.notAfter > range.after && access.notAfter <= range.until)
      events.push(endingEvent(access, days))
  }
  return events
}

function endingEvent({ id, notAfter }: { id: string; notAfter: Date }, days: number): FoundEvent {
  const payload = { certificateId: id, endsAt: notAfter.toISOString() }
  return { kind: 'CertificateEnding', payload, at: plusMs(notAfter, -days * dayMs) }
}
