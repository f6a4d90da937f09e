import { and, asc, eq, getTableName, lt, type SQL, sql } from 'drizzle-orm'
import { plusMs } from '../../shared/clock.ts'
import type { Reader } from '../client.ts'
import { param, paramOf, prepared } from '../engine/prepared.ts'
import { participantEvidence } from '../tables/ecosystems/evidence.ts'
import { issuances } from '../tables/issuance/issuances.ts'
import { walks } from '../tables/operations/walks.ts'
import { tenants } from '../tables/tenancy/tenants.ts'
import { ownerWalks } from './owner-walks.ts'
import { type AgingTable, agingTables } from './purge-aged.ts'
import { ageOf, contentRetentionMs } from './retention-table.ts'

/** Expired rows are purged every minute. Where one is left for so long, something is wrong. */
export const purgeIsLateAfterMs = 3_600_000

interface Look extends AgingTable {
  where?: SQL
}

const { state, requestedAt: by } = issuances

const looks: Look[] = [
  ...agingTables,
  { table: participantEvidence, by: participantEvidence.expiresAt, afterMs: ageOf(participantEvidence) },
  { table: issuances, by, afterMs: contentRetentionMs, where: eq(state, 'issued') },
  ...(['wiped', 'refused', 'abandoned'] as const).map((ended) => {
    return { table: issuances, by, afterMs: ageOf(issuances), where: eq(state, ended) }
  }),
]

const oldest = prepared('oldest_expired', (db) => {
  const fields = looks.map(({ table, by, where }, place) => {
    const expired = and(where, lt(by, paramOf(by, `before${place}`)))
    const first = db.select({ by }).from(table).where(expired).orderBy(asc(by)).limit(1)
    return [`look${place}`, time(sql`(${first})`).as(`look${place}`)] as const
  })
  const cleared = ownerWalks.map((_walk, place) => {
    const ofTable = eq(walks.id, param(`walk${place}`))
    const startedAt = db.select({ at: walks.clearedAt }).from(walks).where(ofTable)
    return [`cleared${place}`, time(sql`(${startedAt})`).as(`cleared${place}`)] as const
  })
  return db.select(Object.fromEntries([...fields, ...cleared])).from(sql`(select 1) as one_row`)
})

/**
 * For how long the oldest expired row of each table has waited to be purged, in milliseconds; 0 where there is none. One look into an index
 * for each table. Of a table that is purged owner by owner it is the time since all expired rows were gone, so that no row has waited
 * longer; it is left out until that was so once.
 */
export async function findOldestExpired(db: Reader, at: Date): Promise<Map<string, number>> {
  const befores = looks.map(({ afterMs }, place) => [`before${place}`, plusMs(at, -afterMs)])
  const walks = ownerWalks.map(({ table }, place) => [`walk${place}`, getTableName(table)])
  const [row] = await oldest(db, Object.fromEntries([...befores, ...walks]))
  const waits = new Map<string, number>()
  for (const [place, { table, afterMs }] of looks.entries()) {
    const since = row?.[`look${place}`]
    const waitedMs = since ? at.getTime() - since.getTime() - afterMs : 0
    const name = getTableName(table)
    waits.set(name, Math.max(waits.get(name) ?? 0, waitedMs))
  }
  for (const [place, { table }] of ownerWalks.entries()) {
    const clearedAt = row?.[`cleared${place}`]
    if (clearedAt) waits.set(getTableName(table), Math.max(0, at.getTime() - clearedAt.getTime()))
  }
  return waits
}

/** The names of the tables in which an expired row has waited for an hour. */
export async function findLatePurges(db: Reader, at: Date): Promise<string[]> {
  const waits = await findOldestExpired(db, at)
  return [...waits].flatMap(([table, waitedMs]) => (waitedMs >= purgeIsLateAfterMs ? [table] : []))
}

/** All times are encoded alike. */
function time(value: SQL): SQL<Date | null> {
  return sql<Date | null>`${value}`.mapWith(tenants.createdAt)
}
