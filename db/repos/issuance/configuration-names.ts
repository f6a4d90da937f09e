import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { dialect } from '../../columns.ts'
import { configurations } from '../../tables/issuance/configurations.ts'

const { id, tenantId: ofTenant, type, settings } = configurations

/** Returns the names in the settings of a configuration. The first name is the one that wallets show. */
export function configurationNamesIn(settings: object): string[] {
  const {
    display = [],
    name,
    branding,
  } = settings as {
    display?: { name?: string }[]
    name?: string
    branding?: { name?: string }
  }
  return [...display.map((each) => each.name), name, branding?.name].filter((each) => each !== undefined)
}

/** Returns the names of each row by its id. Reads settings only for rows that an earlier version stored without names. */
export async function findNames(
  db: Reader,
  tenantId: string,
  rows: readonly { id: string; names: string[] | null }[],
): Promise<Map<string, string[]>> {
  const names = new Map<string, string[]>()
  for (const row of rows) if (row.names) names.set(row.id, row.names)
  const unnamed = rows.filter((row) => !row.names).map((row) => row.id)
  if (unnamed.length === 0) return names
  const read = await db
    .select({ id, settings })
    .from(configurations)
    .where(and(eq(ofTenant, tenantId), inArray(id, unnamed)))
  for (const row of read) names.set(row.id, configurationNamesIn(row.settings))
  return names
}

/** Returns the first name of each configuration of `ids` that exists. Without a name it is the type. */
export async function findConfigurationNames(
  db: Reader,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id, type, names: configurations.names })
    .from(configurations)
    .where(and(eq(ofTenant, tenantId), inArray(id, [...ids])))
  const namesOf = await findNames(db, tenantId, rows)
  return new Map(rows.map((row) => [row.id, namesOf.get(row.id)?.[0] ?? row.type]))
}

/** Stores the names of at most `limit` configurations of all tenants that have none stored. Returns their number. */
export async function storeMissingNames(tx: Writer, limit: number): Promise<number> {
  const unnamed = tx
    .select({ id, tenantId: ofTenant, settings })
    .from(configurations)
    .where(isNull(configurations.names))
    // Lock order: configurations by id.
    .orderBy(asc(id))
    .limit(limit)
  const rows = await (dialect === 'postgres' ? unnamed.for('no key update') : unnamed)
  for (const row of rows)
    await tx
      .update(configurations)
      .set({ names: configurationNamesIn(row.settings) })
      .where(and(eq(ofTenant, row.tenantId), eq(id, row.id)))
  return rows.length
}
