import { and, asc, eq, gt, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { plusMs } from '../../../shared/clock.ts'
import type { IntegrationRef } from '../../../shared/jobs/payloads.ts'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { ecosystemIntegrations as integrations } from '../../tables/ecosystems/integrations.ts'

export type DueIntegrationRow = typeof integrations.$inferSelect

/** The time of a job to fetch and store a list, including retries and the wait in the queue. */
const queuedForMs = 300_000
/** The minimum time between two fetches of a list, however often a fetch is requested. */
const minIntervalMs = 60_000

/** The condition of the index on due integrations. */
const isEnabled = sql`${integrations.enabled}`

function isDue(at: Date): SQL | undefined {
  return or(isNull(integrations.nextSyncAt), lte(integrations.nextSyncAt, at))
}

function isFree(at: Date): SQL | undefined {
  return or(isNull(integrations.queuedUntil), lte(integrations.queuedUntil, at))
}

/**
 * Returns due integrations of all tenants, the longest due of each tenant first. The limits include integrations in
 * progress.
 */
export async function findDueIntegrations(
  db: Reader,
  at: Date,
  { maxAtOnce, maxOfTenant }: { maxAtOnce: number; maxOfTenant: number },
): Promise<{ tenantId: string; id: string }[]> {
  const { id, tenantId, queuedUntil, nextSyncAt } = integrations
  // Integrations in progress are still due and come first.
  const kind = sql`case when ${gt(queuedUntil, at)} then 0 when ${nextSyncAt} is null then 1 else 2 end`
  const ranked = db
    .select({
      ...{ id, tenantId },
      kind: sql<number>`${kind}`.as('kind'),
      rank: sql<number>`row_number() over (partition by ${tenantId} order by ${kind}, ${nextSyncAt}, ${id})`.as('rank'),
    })
    .from(integrations)
    .where(and(isEnabled, isDue(at)))
    .as('ranked')
  const first = await db
    .select({ id: ranked.id, tenantId: ranked.tenantId, kind: ranked.kind })
    .from(ranked)
    .where(lte(ranked.rank, maxOfTenant))
    .orderBy(asc(sql`case when ${ranked.kind} = 0 then 0 else 1 end`), asc(ranked.rank), asc(ranked.id))
    .limit(maxAtOnce)
  return first.filter((each) => Number(each.kind) !== 0)
}

/** Takes the integrations that no other process has taken. The caller queues them. */
export async function takeDueIntegrations(
  tx: Writer,
  due: { tenantId: string; id: string }[],
  at: Date,
): Promise<IntegrationRef[]> {
  const queuedUntil = plusMs(at, queuedForMs)
  const taken: IntegrationRef[] = []
  for (const { tenantId, id } of due.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    const rows = await tx
      .update(integrations)
      .set({ queuedUntil })
      .where(and(byId(tenantId, id), isEnabled, isDue(at), isFree(at)))
      .returning({ id: integrations.id })
    if (rows.length === 1) taken.push({ tenantId, integrationId: id, queuedUntil: queuedUntil.getTime() })
  }
  return taken
}

/** Releases integrations that could not be queued. One that another job holds does not change. */
export async function returnIntegrations(tx: Writer, taken: IntegrationRef[]): Promise<void> {
  for (const ref of taken) await tx.update(integrations).set({ queuedUntil: null }).where(ofJob(ref.tenantId, ref))
}

/** Returns undefined if the job no longer holds the integration. */
export async function findQueuedIntegration(
  db: Reader,
  tenantId: string,
  ref: IntegrationRef,
): Promise<DueIntegrationRow | undefined> {
  const [row] = await db.select().from(integrations).where(ofJob(tenantId, ref))
  return row
}

export async function markAttempt(tx: Writer, tenantId: string, ref: IntegrationRef, attemptedAt: Date): Promise<void> {
  await tx.update(integrations).set({ attemptedAt }).where(ofJob(tenantId, ref))
}

type Synced = Pick<DueIntegrationRow, 'result' | 'nextSyncAt' | 'failures'> &
  Partial<Pick<DueIntegrationRow, 'lastGood' | 'succeededAt'>>

/** Records the result of a fetch and releases the integration. Returns false if the job no longer holds it. */
export async function endSync(tx: Writer, tenantId: string, ref: IntegrationRef, synced: Synced): Promise<boolean> {
  const rows = await tx
    .update(integrations)
    .set({ ...synced, queuedUntil: null })
    .where(ofJob(tenantId, ref))
    .returning({ id: integrations.id })
  return rows.length === 1
}

/**
 * Makes all enabled integrations due now, or a minute after their last fetch. Skips those in progress. Returns the
 * number of enabled integrations.
 */
export async function requestSync(tx: Writer, tenantId: string, at: Date): Promise<number> {
  const ofTenant = and(eq(integrations.tenantId, tenantId), isEnabled)
  const isRecent = gt(integrations.attemptedAt, plusMs(at, -minIntervalMs))
  const soon = plusMs(at, minIntervalMs)
  await tx
    .update(integrations)
    .set({ nextSyncAt: soon })
    .where(and(ofTenant, isFree(at), isRecent, gt(integrations.nextSyncAt, soon)))
  await tx
    .update(integrations)
    .set({ nextSyncAt: at })
    .where(
      and(
        ofTenant,
        isFree(at),
        gt(integrations.nextSyncAt, at),
        or(isNull(integrations.attemptedAt), lte(integrations.attemptedAt, plusMs(at, -minIntervalMs))),
      ),
    )
  return tx.$count(integrations, ofTenant)
}

/**
 * True if operators are shown that an external list fails: after two failures in a row. A list is fetched at its
 * `nextUpdate`, and its publisher can be some minutes late. A list without an earlier success fails at once.
 */
export const isFailing: SQL = sql`(${integrations.failures} > 1 or (${integrations.failures} = 1 and ${integrations.succeededAt} is null))`

export interface IntegrationTotals {
  good: number
  failing: number
  /** Never fetched. */
  waiting: number
  /** The oldest last success of the lists that have one. */
  oldestSuccess: Date | undefined
}

/** Counts the enabled integrations of all tenants by state. */
export async function findIntegrationTotals(db: Reader): Promise<IntegrationTotals> {
  const { attemptedAt, failures, succeededAt } = integrations
  const waiting = and(isEnabled, eq(failures, 0), isNull(succeededAt), isNull(attemptedAt))
  const [oldest] = await db
    .select({ succeededAt })
    .from(integrations)
    .where(and(isEnabled, isNotNull(succeededAt)))
    .orderBy(asc(succeededAt))
    .limit(1)
  return {
    good: await db.$count(integrations, and(isEnabled, lte(failures, 1), isNotNull(succeededAt))),
    failing: await db.$count(integrations, and(isEnabled, isFailing)),
    waiting: await db.$count(integrations, waiting),
    oldestSuccess: oldest?.succeededAt ?? undefined,
  }
}

function ofJob(tenantId: string, { integrationId, queuedUntil }: IntegrationRef): SQL | undefined {
  return and(
    byId(tenantId, integrationId),
    isEnabled,
    inRow(integrations.queuedUntil, sql.param(new Date(queuedUntil), integrations.queuedUntil)),
  )
}

function byId(tenantId: string, id: string): SQL | undefined {
  return and(inRow(integrations.tenantId, tenantId), eq(integrations.id, id))
}
