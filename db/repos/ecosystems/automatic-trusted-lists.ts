import { and, asc, eq, getTableColumns, gt, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { dayMs, plusMs } from '../../../shared/clock.ts'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { constant, paramOf, prepared } from '../../engine/prepared.ts'
import { ecosystems } from '../../tables/ecosystems/ecosystems.ts'
import {
  trustedListConfigurations as configurations,
  type PublicationFrequency,
  trustedLists,
} from '../../tables/ecosystems/trusted-lists.ts'
import { tenants } from '../../tables/tenancy/tenants.ts'
import { notFailing, type TrustedListConfigurationRow } from './trusted-list-configurations.ts'

export interface DueTrustedList {
  tenantId: string
  configurationId: string
  /** The position among the due lists of the tenant, from 1. */
  rank: number
}

/** Joins existing ecosystems, because configurations of a deleted ecosystem stay for a while and must not publish. */
const ofEcosystem = and(eq(ecosystems.tenantId, configurations.tenantId), eq(ecosystems.id, configurations.ecosystemId))

const dueLists = prepared('due_trusted_lists', (db) => {
  const { tenantId, id: configurationId, lastAutomaticAt } = configurations
  const time = (name: keyof PublicationTimes) => paramOf(lastAutomaticAt, name)
  const isDue = isPublicationDueAt({
    at: time('at'),
    tomorrow: time('tomorrow'),
    Daily: time('Daily'),
    Weekly: time('Weekly'),
  })
  const rank = sql<number>`row_number() over (partition by ${tenantId} order by random())`.mapWith(Number).as('rank')
  return db
    .select({ tenantId, configurationId, rank })
    .from(configurations)
    .innerJoin(ecosystems, ofEcosystem)
    .innerJoin(tenants, and(eq(tenants.id, tenantId), eq(tenants.state, constant('active'))))
    .where(isDue)
    .orderBy(asc(rank), sql`random()`)
    .limit(sql.placeholder('limit'))
})

/**
 * Returns configurations of all tenants with a due publication: the first of each tenant, then the second of each. The
 * order is otherwise random, so that a list that always fails does not block the others.
 */
export async function findDueTrustedLists(db: Reader, at: Date, limit: number): Promise<DueTrustedList[]> {
  return dueLists(db, { ...publicationTimes(at), limit })
}

/** Returns a configuration of a tenant if its publication is due. */
export async function findDueConfiguration(
  db: Reader,
  tenantId: string,
  id: string,
  at: Date,
): Promise<TrustedListConfigurationRow | undefined> {
  const [row] = await db
    .select(getTableColumns(configurations))
    .from(configurations)
    .innerJoin(ecosystems, ofEcosystem)
    .where(and(byId(tenantId, id), isPublicationDue(at)))
  return row
}

/**
 * Takes a due publication and clears its failures, so that no other process publishes automatically in the same day or
 * week. Returns false if it is no longer due. Commit it together with the list.
 */
export async function claimAutomaticPublication(tx: Writer, tenantId: string, id: string, at: Date): Promise<boolean> {
  const taken = await tx
    .update(configurations)
    .set({ lastAutomaticAt: at, ...notFailing })
    .where(and(byId(tenantId, id), isPublicationDue(at)))
    .returning({ id: configurations.id })
  return taken.length === 1
}

export type PublicationFailure = {
  [Key in keyof typeof notFailing]: NonNullable<TrustedListConfigurationRow[Key]>
}

/** Stores a failure. The caller holds the configuration. */
export async function recordFailedPublication(
  tx: Writer,
  tenantId: string,
  id: string,
  failure: PublicationFailure,
): Promise<void> {
  await tx.update(configurations).set(failure).where(byId(tenantId, id))
}

const unpublished = prepared('unpublished_trusted_lists', (db) => {
  const { tenantId, kind, id, number, createdAt } = trustedLists
  return db
    .select({ tenantId, kind, id })
    .from(trustedLists)
    .innerJoin(tenants, and(eq(tenants.id, tenantId), eq(tenants.state, constant('active'))))
    .where(and(isNull(number), lt(createdAt, paramOf(createdAt, 'before'))))
    .limit(sql.placeholder('limit'))
})

/** Returns lists of all tenants that have stayed unpublished, because the process that requested them died. */
export async function findUnpublishedTrustedLists(
  db: Reader,
  before: Date,
  limit: number,
): Promise<Pick<typeof trustedLists.$inferSelect, 'tenantId' | 'kind' | 'id'>[]> {
  return unpublished(db, { before, limit })
}

/** The times that a publication is compared with, as values or as parameters of a prepared query. */
type PublicationTimes<Time = SQL> = Record<'at' | 'tomorrow' | PublicationFrequency, Time>

const frequencies: PublicationFrequency[] = ['Daily', 'Weekly']

function publicationTimes(at: Date): PublicationTimes<Date> {
  return { at, tomorrow: plusMs(at, dayMs), Daily: beginOf('Daily', at), Weekly: beginOf('Weekly', at) }
}

/**
 * Matches configurations whose last automatic list is from an earlier day or week and that do not pause after a
 * failure. Times more than a day in the future come from a wrong clock and are ignored.
 */
export function isPublicationDue(at: Date): SQL | undefined {
  return isPublicationDueAt(publicationTimes(at))
}

function isPublicationDueAt({ at, tomorrow, ...begins }: PublicationTimes<Date | SQL>): SQL | undefined {
  const { autoPublishes, frequency, lastAutomaticAt, retryAt } = configurations
  const isOver = frequencies.map((each) => {
    const isOfOtherTime = or(lt(lastAutomaticAt, begins[each]), gt(lastAutomaticAt, tomorrow))
    return and(eq(frequency, each), or(isNull(lastAutomaticAt), isOfOtherTime))
  })
  return and(eq(autoPublishes, true), or(...isOver), or(isNull(retryAt), lte(retryAt, at), gt(retryAt, tomorrow)))
}

/**
 * Returns the time since which a due list should be published: the start of the day or week, or a later configuration
 * of automatic publication.
 */
export function dueSince(
  { frequency, autoPublishConfiguredAt }: Pick<TrustedListConfigurationRow, 'frequency' | 'autoPublishConfiguredAt'>,
  at: Date,
): Date {
  const begin = beginOf(frequency ?? 'Daily', at)
  return autoPublishConfiguredAt && autoPublishConfiguredAt > begin ? autoPublishConfiguredAt : begin
}

/** Returns the start of the day or of the week in UTC. A week starts on Monday (ISO 8601). */
function beginOf(frequency: PublicationFrequency, at: Date): Date {
  const day = Math.floor(at.getTime() / dayMs)
  // The first day of the epoch was a Thursday.
  const days = frequency === 'Daily' ? day : day - ((day + 3) % 7)
  return new Date(days * dayMs)
}

function byId(tenantId: string, id: string): SQL | undefined {
  return and(inRow(configurations.tenantId, tenantId), eq(configurations.id, id))
}
