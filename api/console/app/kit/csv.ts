/** Returns rows as CSV (RFC 4180), with the names of the columns first. */
export function csvOf(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [columns, ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')
}

/** A cell that starts like a formula gets an apostrophe, because spreadsheets would run it. */
function cellOf(value: string | number): string {
  const text = String(value).replace(/^[=+\-@\t\r]/, "'$&")
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
