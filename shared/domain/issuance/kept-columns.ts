import { readPath } from '../../formats/claim-path.ts'

/** The columns of a file whose cells come back in the results of a bulk issuance, such as an email address. */

export const maxKeptColumns = 20

/** The kept cells of one row, in JSON. A page of results has those of several hundred rows. */
const maxKeptBytes = 4_000

/** The columns that results have themselves. */
export const resultColumns = [
  ...['row', 'externalId', 'link', 'transactionCode', 'credentialId', 'credential'],
  ...['state', 'label', 'expiresAt', 'openedAt', 'endedAt'],
] as const

/** Returns the cells of the kept columns of a row. A cell that the row does not have is left out. */
export function keptCellsOf(columns: readonly string[], values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    columns.map((column) => [column, readPath(values, [column])]).filter(([, value]) => value !== undefined),
  )
}

/** Returns why kept cells in JSON are too large. Returns undefined if they are not. */
export function keptCellsFault(cells: string): string | undefined {
  const bytes = Buffer.byteLength(cells)
  if (bytes <= maxKeptBytes) return undefined
  return `The kept cells of the row have ${bytes} bytes in JSON. At most ${maxKeptBytes} are possible.`
}
