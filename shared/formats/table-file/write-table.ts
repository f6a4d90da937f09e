import type { TableFormat } from './table.ts'

/** The media type of a table and the end of its file name. */
export const tableMedia: Readonly<Record<TableFormat, { type: string; extension: string }>> = {
  csv: { type: 'text/csv', extension: 'csv' },
  jsonl: { type: 'application/jsonl', extension: 'jsonl' },
}

/**
 * Excel reads CSV as UTF-8 only with a byte order mark, and then saves it with one. Files for people start with it. Files for programs do
 * not, because many programs would read it as a part of the first header.
 */
export const byteOrderMark = '\ufeff'

/** Returns the start of a table: the header of CSV, and nothing for JSON Lines. */
export function tableStart(format: TableFormat, columns: readonly string[]): string {
  return format === 'csv' ? csvLine(columns) : ''
}

/**
 * Returns rows as lines of a table. CSV has a cell for each column: values that are not text are in JSON, and undefined and null are empty
 * cells. JSON Lines has the members in the order of the columns, without those that are undefined. JSON Lines has each text unchanged. CSV
 * has formulas as text (`csvLine`).
 */
export function tableLines(
  format: TableFormat,
  columns: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
): string {
  return rows
    .map((row) => {
      const cells = columns.map((column) => (Object.hasOwn(row, column) ? row[column] : undefined))
      if (format === 'csv') return csvLine(cells.map(textOf))
      return `${JSON.stringify(Object.fromEntries(columns.map((column, at) => [column, cells[at]])))}\n`
    })
    .join('')
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/**
 * Returns a line of CSV (RFC 4180). A cell that a spreadsheet would run as a formula starts with an apostrophe, which the spreadsheet shows as
 * text. Plain numbers such as -5 are not changed.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => quote(isFormula(cell) ? `'${cell}` : cell)).join(',')}\r\n`
}

function quote(cell: string): string {
  return needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** Some spreadsheets guess `;` or tab as the delimiter, and remove spaces at the ends. */
const needsQuotes = /[",;\t\r\n]|^\s|\s$/

function isFormula(cell: string): boolean {
  return formulaStart.test(cell) && !plainNumber.test(cell)
}

/**
 * The first character of a formula, after spaces (OWASP, "CSV Injection"). Spreadsheets also read the full-width forms. A tab or line break at
 * the start can move the rest to another cell.
 */
const formulaStart = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/u
const plainNumber = /^[+-]?\d+(?:[.,]\d+)?$/
