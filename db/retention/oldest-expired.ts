import { and, asc, eq, getTableName, lt, type SQL, sql } from 'drizzle-orm'
import { plusMs } from '../../shared/clock.ts'
import type { Reader } from '../client.ts'
import { param, paramOf, prepared } from '../engine/prepared.ts'
import { participantEvidence } from '../tables/ecosystems/evidence.ts'
import { bulkIssuances } from '../tables/issuance/bulk-issuances.ts'
import { issuances } from '../tables/issuance/issuances.ts'
import { walks } from '../tables/operations/walks.ts'
import { tenants } from '../tables/tenancy/tenants.ts'
import { ownerWalks } from './owner-walks.ts'
import { type AgingTable, agingTables } from './purge-aged.ts'
import { contentRetentionMs } from './retention-table.ts'
import { ageOf } from './table-rules.ts'

/** Expired rows are purged every minute. A row that stays this long shows that the purge does not work. */
const purgeIsLateAfterMs = 3_600_000

interface Lookup extends AgingTable {
  where?: SQL
}

const { state, requestedAt: by } = issuances

const lookups: Lookup[] = [
  ...agingTables,
  { table: bulkIssuances, by: bulkIssuances.expiresAt, afterMs: ageOf(bulkIssuances) },
  { table: participantEvidence, by: participantEvidence.expiresAt, afterMs: ageOf(participantEvidence) },
  { table: issuances, by, afterMs: contentRetentionMs, where: eq(state, 'issued') },
  ...(['wiped', 'refused', 'abandoned'] as const).map((ended) => {
    return { table: issuances, by, afterMs: ageOf(issuances), where: eq(state, ended) }
  }),
]

const oldest = prepared('oldest_expired', (db) => {
  const fields = lookups.map(({ table, by, where }, index) => {
    const expired = and(where, lt(by, paramOf(by, `before${index}`)))
    const first = db.select({ by }).from(table).where(expired).orderBy(asc(by)).limit(1)
    return [`lookup${index}`, time(sql`(${first})`).as(`lookup${index}`)] as const
  })
  const cleared = ownerWalks.map((_walk, index) => {
    const ofTable = eq(walks.id, param(`walk${index}`))
    const startedAt = db.select({ at: walks.clearedAt }).from(walks).where(ofTable)
    return [`cleared${index}`, time(sql`(${startedAt})`).as(`cleared${index}`)] as const
  })
  return db.select(Object.fromEntries([...fields, ...cleared])).from(sql`(select 1) as one_row`)
})

/**
 * Returns for each table how long its oldest expired row has waited to be purged, in milliseconds, or 0 if there is
 * none. Reads one index entry per table. For a table that is purged per owner it is the time since no expired row was
 * left, which is an upper bound. Such a table is absent until a walk has left no expired row.
 */
export async function findOldestExpired(db: Reader, at: Date): Promise<Map<string, number>> {
  const cutoffs = lookups.map(({ afterMs }, index) => [`before${index}`, plusMs(at, -afterMs)])
  const walks = ownerWalks.map(({ table }, index) => [`walk${index}`, getTableName(table)])
  const [row] = await oldest(db, Object.fromEntries([...cutoffs, ...walks]))
  const waits = new Map<string, number>()
  for (const [index, { table, afterMs }] of lookups.entries()) {
    const since = row?.[`lookup${index}`]
    const waitedMs = since ? at.getTime() - since.getTime() - afterMs : 0
    const name = getTableName(table)
    waits.set(name, Math.max(waits.get(name) ?? 0, waitedMs))
  }
  for (const [index, { table }] of ownerWalks.entries()) {
    const clearedAt = row?.[`cleared${index}`]
    if (clearedAt) waits.set(getTableName(table), Math.max(0, at.getTime() - clearedAt.getTime()))
  }
  return waits
}

/** Returns the names of the tables in which an expired row has waited for an hour. */
export async function findLatePurges(db: Reader, at: Date): Promise<string[]> {
  const waits = await findOldestExpired(db, at)
  return [...waits].flatMap(([table, waitedMs]) => (waitedMs >= purgeIsLateAfterMs ? [table] : []))
}

/** Decodes a time with the encoding that all time columns share. */
function time(value: SQL): SQL<Date | null> {
  return sql<Date | null>`${value}`.mapWith(tenants.createdAt)
}
