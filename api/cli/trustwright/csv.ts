/**
 * Parses CSV (RFC 4180): rows of fields. A field in quotes can have commas, line ends and doubled quotes. Each row has the line at which
 * it starts. Empty lines are left out. Throws an Error for a quote without an end.
 */
export function parseCsv(text: string): { line: number; fields: string[] }[] {
  const rows: { line: number; fields: string[] }[] = []
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y
  let [line, start] = [1, 1]
  let fields: string[] = []
  while (field.lastIndex < text.length) {
    const { lastIndex } = field
    const [all, quoted, plain = '', end = ''] = field.exec(text) ?? []
    if (all === undefined) throw new Error(`Line ${line} is not CSV: a quote is not closed, or text follows it`)
    fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    line += all.split('\n').length - 1
    const isLast = end !== ',' || lastIndex + all.length === text.length
    if (end === ',' && isLast) fields.push('')
    if (!isLast) continue
    if (fields.length > 1 || fields[0] !== '') rows.push({ line: start, fields })
    ;[start, fields] = [line, []]
  }
  return rows
}
