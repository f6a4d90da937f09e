import { getTableColumns, getTableName } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { retentionRules } from './retention-table.ts'

/**
 * Returns the age at which rows of the table are purged, in milliseconds. Throws for a table whose rows are not purged
 * by age.
 */
export function ageOf(table: PgTable): number {
  const ages = retentionRules.find((each) => each.table === table)?.ages
  if (!ages) throw new Error(`Table ${getTableName(table)} has no retention period.`)
  return ages.afterMs
}

/** Returns the id column of the table. */
export function idColumn(table: PgTable): PgColumn {
  const { id } = getTableColumns(table)
  if (!id) throw new Error(`Table ${getTableName(table)} has no id column.`)
  return id
}

/** Returns how many rows of other tables one row of this table counts as. */
export function tableWeight(table: PgTable): number {
  return retentionRules.find((each) => each.table === table)?.weight ?? 1
}

/** Returns the tables whose rows depend on rows of `owner`. */
export function dependentsOf(owner: PgTable): { table: PgTable; tenant: PgColumn; by: PgColumn }[] {
  return retentionRules.flatMap(({ table, tenant, with: dependency }) =>
    dependency?.owner === owner && tenant ? [{ table, tenant, by: dependency.by }] : [],
  )
}
