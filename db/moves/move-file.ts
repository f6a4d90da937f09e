import { z } from 'zod'
import { Misconfigured } from '../../shared/process/dependency.ts'
import type { CopiedColumn, CopiedTable } from '../copy/copied-tables.ts'
import type { CopiedRow, CopiedValue } from '../copy/side.ts'

/** The header of an export: the text of its first line. */
const MoveHeader = z.object({
  format: z.literal('trustwright-tenant'),
  version: z.literal(1),
  exportId: z.string(),
  exportedAt: z.iso.datetime(),
  /** The name of the last migration of the source. */
  migration: z.string(),
  tenant: z.object({ id: z.string(), name: z.string(), subdomain: z.string(), hosts: z.array(z.string()) }),
})
export type MoveHeader = z.infer<typeof MoveHeader>

/** The counts and digests of an export. The import compares them with those of the target. */
export const MoveSummary = z.object({
  tables: z.array(z.object({ name: z.string(), rows: z.int(), digest: z.string() })),
  audit: z.object({
    rows: z.int(),
    hash: z.string(),
    /** The last signed checkpoint of the audit. Null if there is none. */
    checkpoint: z.string().nullable(),
  }),
})
export type MoveSummary = z.infer<typeof MoveSummary>

/** Rows of a table. Values are in the form of both databases, and opened: no secret of an installation seals them. */
export interface MovePortion {
  table: CopiedTable
  rows: CopiedRow[]
}

export function readHeader(text: string): MoveHeader {
  const header = MoveHeader.safeParse(JSON.parse(text))
  if (header.success) return header.data
  throw new Misconfigured('The file is an export of another version. Use the same version at both installations.')
}

/** Writes a portion as the text of a line. Bytes are in base64. */
export function writePortion({ table, rows }: MovePortion): string {
  return JSON.stringify({
    table: table.name,
    rows: rows.map((row) =>
      row.map((value) => (Buffer.isBuffer(value) ? { base64: value.toString('base64') } : value)),
    ),
  })
}

export const writeSummary = (summary: MoveSummary): string => JSON.stringify({ summary })

const Line = z.union([
  z.object({ summary: MoveSummary }),
  z.object({ table: z.string(), rows: z.array(z.array(z.unknown())) }),
])

/** Reads the text of a line. Throws Misconfigured for a table that does not move, and for values of another kind than its columns. */
export function readLine(text: string, tables: ReadonlyMap<string, CopiedTable>): MovePortion | MoveSummary {
  const line = Line.safeParse(JSON.parse(text)).data
  if (line && 'summary' in line) return line.summary
  const table = line && tables.get(line.table)
  if (!table) throw new Misconfigured('The file has rows of a table that does not move. Use the same version.')
  return { table, rows: line.rows.map((row) => readRow(table, row)) }
}

function readRow(table: CopiedTable, row: readonly unknown[]): CopiedRow {
  if (row.length !== table.columns.length)
    throw new Misconfigured(`The file has other columns of ${table.name}. Use the same version at both installations.`)
  return table.columns.map((column, index) => readValue(table, column, row[index]))
}

const Bytes = z.object({ base64: z.base64() })

function readValue(table: CopiedTable, { name, kind }: CopiedColumn, value: unknown): CopiedValue {
  if (value === null) return null
  if (kind === 'bytes') {
    const bytes = Bytes.safeParse(value)
    if (bytes.success) return Buffer.from(bytes.data.base64, 'base64')
  } else if (kind === 'text' || kind === 'json') {
    if (typeof value === 'string') return value
  } else if (typeof value === 'number') return value
  throw new Misconfigured(`The file has a value of another kind in ${table.name}.${name}.`)
}
