import { createHash } from 'node:crypto'
import type { CopiedTable } from './copied-tables.ts'
import { type CopiedRow, type CopiedValue, columnList, quoted, type Side } from './side.ts'

/** A portion has at most this many rows. */
const maxRows = 1_000
/** A portion has at most this many bytes, or a single row. */
const maxBytes = 8 * 1_024 * 1_024

export interface CopiedPortion {
  rows: CopiedRow[]
  /** The key of the last row. */
  last: CopiedValue[]
}

/** Selects the rows whose expression has the value. The expression names columns of the table. */
export interface RowFilter {
  expression: string
  value: string
}

/** The side of the rows. */
type Source = Pick<Side, 'query' | 'syntax'>

/**
 * Yields the rows of a table, or those of a filter, in the order of its key, from the row that follows the key `after`. So memory is
 * bounded by the limits of a portion, or by the largest row. The order depends on the collation of the database.
 */
export async function* portionsOf(
  side: Source,
  table: CopiedTable,
  { after, filter }: { after?: CopiedValue[] | undefined; filter?: RowFilter | undefined } = {},
): AsyncGenerator<CopiedPortion> {
  const positions = table.key.map(({ name }) => table.columns.findIndex((column) => column.name === name))
  let last = after
  for (;;) {
    const rows = await readPortion(side, table, last, filter)
    const lastRow = rows.at(-1)
    if (!lastRow) return
    last = positions.map((position) => lastRow[position] ?? null)
    yield { rows, last }
  }
}

async function readPortion(
  { query, syntax }: Source,
  table: CopiedTable,
  after: CopiedValue[] | undefined,
  filter: RowFilter | undefined,
): Promise<CopiedRow[]> {
  const parameters = [...(filter ? [filter.value] : []), ...(after ?? [])]
  const first = parameters.length - (after?.length ?? 0) + 1
  const bounds = table.key.map(({ kind }, index) => syntax.parameter(kind, first + index)).join(', ')
  const conditions = [
    ...(filter ? [`${filter.expression} = ${syntax.parameter('text', 1)}`] : []),
    ...(after ? [`(${columnList(table.key)}) > (${bounds})`] : []),
  ]
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : ''
  const next = `FROM ${quoted(table.name)}${where} ORDER BY ${columnList(table.key)} LIMIT`
  const sizes = await query(`SELECT ${sizeOf(table, syntax)} ${next} ${maxRows}`, parameters)
  const count = countWithin(sizes.map(([size]) => Number(size)))
  if (count === 0) return []
  return query(`SELECT ${table.columns.map(syntax.read).join(', ')} ${next} ${count}`, parameters)
}

/** The bytes of the columns whose size is not fixed. */
function sizeOf({ columns }: CopiedTable, { size }: Side['syntax']): string {
  const large = columns.filter(({ kind }) => kind === 'text' || kind === 'json' || kind === 'bytes')
  return large.map((column) => `coalesce(${size(column)}, 0)`).join(' + ') || '0'
}

/** Returns how many of the next rows fit into a portion. The first one always does. */
function countWithin(sizes: readonly number[]): number {
  let bytes = 0
  for (const [index, size] of sizes.entries()) {
    bytes += size
    if (bytes > maxBytes && index > 0) return index
  }
  return sizes.length
}

export interface TableDigest {
  rows: number
  /** The sum of the SHA-256 of all rows modulo 2^256, hex. It does not depend on the order of the rows. */
  digest: string
}

export async function digestOfTable(side: Side, table: CopiedTable): Promise<TableDigest> {
  const digest = createTableDigest()
  for await (const { rows } of portionsOf(side, table)) digest.add(rows)
  return digest.result()
}

/** Computes the digest of rows that are added in portions. */
export function createTableDigest(): { add(rows: readonly CopiedRow[]): void; result(): TableDigest } {
  let [count, sum] = [0, 0n]
  return {
    add(rows) {
      for (const row of rows) sum = BigInt.asUintN(256, sum + hashOf(row))
      count += rows.length
    },
    result: () => ({ rows: count, digest: sum.toString(16).padStart(64, '0') }),
  }
}

function hashOf(row: CopiedRow): bigint {
  const text = JSON.stringify(row.map((value) => (Buffer.isBuffer(value) ? value.toString('base64') : value)))
  return BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)
}
