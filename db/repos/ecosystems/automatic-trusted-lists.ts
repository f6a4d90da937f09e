import { and, asc, eq, getTableColumns, gt, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { dayMs, plusMs } from '../../../shared/clock.ts'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
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
  /** Among those of its tenant, from 1. */
  place: number
}

/**
 * The configurations of all tenants by which a list is to be published now: the first of each tenant, then the second of each.
 * Of equal ones it is drawn by lot who comes, so that none that cannot be published keeps others waiting.
 */
export async function findDueTrustedLists(db: Reader, at: Date, most: number): Promise<DueTrustedList[]> {
  const { tenantId, id: configurationId } = configurations
  const place = sql<number>`row_number() over (partition by ${tenantId} order by random())`.mapWith(Number).as('place')
  return db
    .select({ tenantId, configurationId, place })
    .from(configurations)
    .innerJoin(ecosystems, ofEcosystem)
    .innerJoin(tenants, and(eq(tenants.id, tenantId), eq(tenants.state, 'active')))
    .where(isPublicationDue(at))
    .orderBy(asc(place), sql`random()`)
    .limit(most)
}

/** An ecosystem that was deleted publishes nothing more, until its configurations are gone as well. */
const ofEcosystem = and(eq(ecosystems.tenantId, configurations.tenantId), eq(ecosystems.id, configurations.ecosystemId))

/** One of a tenant, if a list is to be published by it now. */
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
 * Takes what is due, so that nobody else publishes by itself in the same day or week, and ends its failing; false where nothing is
 * due any more. To be committed with the list.
 */
export async function takeAutomaticIssue(tx: Writer, tenantId: string, id: string, at: Date): Promise<boolean> {
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

/** For one who holds the configuration. */
export async function noteFailedPublication(
  tx: Writer,
  tenantId: string,
  id: string,
  failure: PublicationFailure,
): Promise<void> {
  await tx.update(configurations).set(failure).where(byId(tenantId, id))
}

/** Lists of all tenants that nobody has published, because the process that asked for it died. */
export async function findUnpublishedTrustedLists(
  db: Reader,
  before: Date,
  most: number,
): Promise<Pick<typeof trustedLists.$inferSelect, 'tenantId' | 'kind' | 'id'>[]> {
  const { tenantId, kind, id, number, createdAt } = trustedLists
  return db
    .select({ tenantId, kind, id })
    .from(trustedLists)
    .innerJoin(tenants, and(eq(tenants.id, tenantId), eq(tenants.state, 'active')))
    .where(and(isNull(number), lt(createdAt, before)))
    .limit(most)
}

/**
 * The last automatic list is from before today, or before this week; after a failure there is a pause. What lies more than a day
 * ahead was written by a clock that was wrong, and keeps nothing from being published until then.
 */
export function isPublicationDue(at: Date): SQL | undefined {
  const { autoPublishes, frequency, lastAutomaticAt, retryAt } = configurations
  const frequencies: PublicationFrequency[] = ['Daily', 'Weekly']
  const tomorrow = plusMs(at, dayMs)
  const isOver = frequencies.map((each) => {
    const isOfOtherTime = or(lt(lastAutomaticAt, beginOf(each, at)), gt(lastAutomaticAt, tomorrow))
    return and(eq(frequency, each), or(isNull(lastAutomaticAt), isOfOtherTime))
  })
  return and(eq(autoPublishes, true), or(...isOver), or(isNull(retryAt), lte(retryAt, at), gt(retryAt, tomorrow)))
}

/** Since when a list is to be published by one that is due: the day, or the week, began, or automatic publication was configured. */
export function dueSince(
  { frequency, autoPublishConfiguredAt }: Pick<TrustedListConfigurationRow, 'frequency' | 'autoPublishConfiguredAt'>,
  at: Date,
): Date {
  const begin = beginOf(frequency ?? 'Daily', at)
  return autoPublishConfiguredAt && autoPublishConfiguredAt > begin ? autoPublishConfiguredAt : begin
}

/** Of the day, or of the week, which begins on Monday (ISO 8601), in UTC. */
function beginOf(frequency: PublicationFrequency, at: Date): Date {
  const day = Math.floor(at.getTime() / dayMs)
  // The first day of the epoch was a Thursday.
  const days = frequency === 'Daily' ? day : day - ((day + 3) % 7)
  return new Date(days * dayMs)
}

function byId(tenantId: string, id: string): SQL | undefined {
  return and(inRow(configurations.tenantId, tenantId), eq(configurations.id, id))
}
