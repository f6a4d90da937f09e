import { getTableName } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { CopiedTable } from '../../../db/copy/copied-tables.ts'
import type { CopiedRow, CopiedValue } from '../../../db/copy/side.ts'
import type { RowValues } from '../../../db/moves/row-values.ts'
import {
  privateKeyColumn,
  type SealedColumn,
  sealedBytesOf,
  serviceSealedColumns,
  storedValueOf,
} from '../../../db/sealed-columns.ts'
import { Misconfigured } from '../../../shared/process/dependency.ts'
import type { SealContext } from '../../../shared/secrets/sealing.ts'
import type { Secrets } from '../../../shared/secrets/secrets.ts'
import type { Keyring } from '../keys/keyring.ts'

interface Installation {
  secrets: Secrets
  keyring: Keyring
  /** The time of the move. A value that nothing uses any more can be lost. */
  at: Date
}

/** Converts bytes for a context. Throws if a secret does not open them. */
type ConvertBytes = (bytes: Buffer, context: SealContext) => Buffer | Promise<Buffer>

/** Opens and seals all sealed columns with the secrets of an installation. An opened value has its plaintext in the form of the column. */
export function sealedRowValues({ secrets, keyring, at }: Installation): RowValues {
  const convert = async (
    table: CopiedTable,
    row: CopiedRow,
    of: { service: ConvertBytes; keys: ConvertBytes },
  ): Promise<CopiedRow> => {
    const converted = [...row]
    for (const column of columnsOf(table)) {
      const position = positionOf(table, column.column)
      const value = row[position]
      if (typeof value !== 'string' && !Buffer.isBuffer(value)) continue
      const bytes = sealedBytesOf(column, value)
      const convertBytes = column === privateKeyColumn ? of.keys : of.service
      // The private key of a destroyed key is empty.
      if (bytes && bytes.length > 0)
        converted[position] = await convertValue({ table, row, column, bytes, at }, convertBytes)
    }
    return converted
  }
  return {
    open: async (table, row) =>
      wrappedUnder(table, await convert(table, row, { service: secrets.openBytes, keys: keyring.unwrap }), null),
    seal: async (table, row) =>
      wrappedUnder(
        table,
        await convert(table, row, { service: secrets.sealBytes, keys: keyring.wrap }),
        keyring.keyEncryptionKeys[0] ?? null,
      ),
  }
}

function columnsOf({ name }: CopiedTable): SealedColumn[] {
  return [...serviceSealedColumns, privateKeyColumn].filter(({ table }) => getTableName(table) === name)
}

interface SealedValue {
  table: CopiedTable
  row: CopiedRow
  column: SealedColumn
  bytes: Buffer
  at: Date
}

async function convertValue(
  { table, row, column, bytes, at }: SealedValue,
  convertBytes: ConvertBytes,
): Promise<CopiedValue> {
  const cellOf = (each: PgColumn) => row[positionOf(table, each)]
  const identity = column.row.map((each) => String(cellOf(each)))
  try {
    return storedValueOf(column, await convertBytes(bytes, column.contextOf(...identity)))
  } catch (error) {
    if (column.usedUntil && Number(cellOf(column.usedUntil)) < at.getTime()) return null
    const secret = column === privateKeyColumn ? 'KEY_ENCRYPTION_KEY' : 'SERVICE_SECRET'
    throw new Misconfigured(
      `The ${column.name} ${identity.join(' ')} cannot be opened with ${secret}. Configure the secret that sealed it, or change or delete the object first.`,
      { cause: error },
    )
  }
}

/** Returns the row of a wrapped key with the name of the key-encryption key that wraps it. Returns other rows as they are. */
function wrappedUnder(table: CopiedTable, row: CopiedRow, name: string | null): CopiedRow {
  if (table.name !== getTableName(privateKeyColumn.table)) return row
  const wrapped = row[positionOf(table, privateKeyColumn.column)]
  if (Buffer.isBuffer(wrapped) && wrapped.length === 0) return row
  return table.columns.map((column, index) => (column.name === 'wrapped_under' ? name : (row[index] ?? null)))
}

function positionOf({ columns }: CopiedTable, { name }: PgColumn): number {
  return columns.findIndex((column) => column.name === name)
}
