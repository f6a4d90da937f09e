import { and, asc, eq, gt, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { plusMs } from '../../../shared/clock.ts'
import type { IntegrationRef } from '../../../shared/jobs/payloads.ts'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { ecosystemIntegrations as integrations } from '../../tables/ecosystems/integrations.ts'

export type DueIntegrationRow = typeof integrations.$inferSelect

/** In this time a job fetches and takes over, retries and its wait in the queue included. */
const queuedForMs = 300_000
/** A list is fetched once in this time at most, however often it is asked for. */
const apartMs = 60_000

/** As the index on what may be due has it. */
const isEnabled = sql`${integrations.enabled}`

function isDue(at: Date): SQL | undefined {
  return or(isNull(integrations.nextSyncAt), lte(integrations.nextSyncAt, at))
}

function isFree(at: Date): SQL | undefined {
  return or(isNull(integrations.queuedUntil), lte(integrations.queuedUntil, at))
}

/** Those of all tenants whose time has come, of each tenant the longest due first; with those that are under way there are no more than `most...`. */
export async function findDueIntegrations(
  db: Reader,
  at: Date,
  { mostAtOnce, mostOfTenant }: { mostAtOnce: number; mostOfTenant: number },
): Promise<{ tenantId: string; id: string }[]> {
  const { id, tenantId, queuedUntil, nextSyncAt } = integrations
  // What is under way is still due, and comes first.
  const kind = sql`case when ${gt(queuedUntil, at)} then 0 when ${nextSyncAt} is null then 1 else 2 end`
  const ranked = db
    .select({
      ...{ id, tenantId },
      kind: sql<number>`${kind}`.as('kind'),
      place: sql<number>`row_number() over (partition by ${tenantId} order by ${kind}, ${nextSyncAt}, ${id})`.as(
        'place',
      ),
    })
    .from(integrations)
    .where(and(isEnabled, isDue(at)))
    .as('ranked')
  const first = await db
    .select({ id: ranked.id, tenantId: ranked.tenantId, kind: ranked.kind })
    .from(ranked)
    .where(lte(ranked.place, mostOfTenant))
    .orderBy(asc(sql`case when ${ranked.kind} = 0 then 0 else 1 end`), asc(ranked.place), asc(ranked.id))
    .limit(mostAtOnce)
  return first.filter((each) => Number(each.kind) !== 0)
}

/** Takes those that nobody else has taken meanwhile, to be queued by the caller. */
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

/** Undefined where it is not the job's any more. */
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

/** Writes what came of a fetch, and gives the integration back. False where it is not the job's any more. */
export async function endSync(tx: Writer, tenantId: string, ref: IntegrationRef, synced: Synced): Promise<boolean> {
  const rows = await tx
    .update(integrations)
    .set({ ...synced, queuedUntil: null })
    .where(ofJob(tenantId, ref))
    .returning({ id: integrations.id })
  return rows.length === 1
}

/** All that are enabled are to be fetched now, but for those that are under way; none is twice within a minute. Says how many there are. */
export async function askForSync(tx: Writer, tenantId: string, at: Date): Promise<number> {
  const ofTenant = and(eq(integrations.tenantId, tenantId), isEnabled)
  const isRecent = gt(integrations.attemptedAt, plusMs(at, -apartMs))
  const soon = plusMs(at, apartMs)
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
        or(isNull(integrations.attemptedAt), lte(integrations.attemptedAt, plusMs(at, -apartMs))),
      ),
    )
  return tx.$count(integrations, ofTenant)
}

/**
 * Whether an operator is told that a list of others fails: from its second failure in a row on. A list is fetched at the moment of its
 * `nextUpdate`, and its publisher may be some minutes late. A list that was never good is told of at its first failure.
 */
export const isFailing: SQL = sql`(${integrations.failures} > 1 or (${integrations.failures} = 1 and ${integrations.succeededAt} is null))`

export interface StandingOfIntegrations {
  good: number
  failing: number
  /** Never fetched. */
  waiting: number
  /** When the list was good that has not been for longest, of those that ever were. */
  oldestSuccess: Date | undefined
}

/** Of those of all tenants that are enabled. */
export async function findStandingOfIntegrations(db: Reader): Promise<StandingOfIntegrations> {
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
