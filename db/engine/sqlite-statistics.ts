import type SqliteDatabase from 'better-sqlite3'

const rows = 1_000_000
/** The factor by which each further column of an index narrows the search. */
const perColumn = 10
/** Columns whose values are nearly unique at any position of an index: an issuance returns few credentials. */
const narrow = ['issuance_id']

/**
 * Sets statistics for SQLite's planner: tables are large, and tenants are too. Without statistics it assumes ten rows
 * per tenant and reads all rows of the tenant to find five ids. Measured statistics would depend on the moment, and are
 * missing for empty tables. With these, plans are the same everywhere (https://sqlite.org/fileformat2.html, section
 * 2.6.3).
 */
export function assumeLargeTables(database: SqliteDatabase.Database): void {
  database.transaction(() => {
    database.exec('ANALYZE sqlite_schema; DELETE FROM sqlite_stat1')
    database.exec(`
      INSERT INTO sqlite_stat1 (tbl, idx, stat)
      SELECT tables.name, indexes.name, ${rows} || ' ' || (
        SELECT group_concat(
          CASE WHEN indexes."unique" AND seqno = (SELECT max(seqno) FROM pragma_index_info(indexes.name)) THEN 1
          WHEN narrowed > 0 THEN 1
          ELSE max(1, CAST(${rows} / pow(${perColumn}, seqno + 1) AS INTEGER)) END, ' ')
        FROM (
          SELECT seqno, sum(name IN (${narrow.map((name) => `'${name}'`).join(', ')})) OVER (ORDER BY seqno) AS narrowed
          FROM pragma_index_info(indexes.name) ORDER BY seqno
        )
      )
      FROM sqlite_schema AS tables, pragma_index_list(tables.name) AS indexes
      WHERE tables.type = 'table'`)
  })()
}
