/** Whether it matters if the cell is in quotes. */
export function mayHaveQuotes(cell: string): boolean {
  return cell.includes('"') || cell.trim().length !== cell.length
}

export interface Quotes {
  /** Whether each cell is in quotes. */
  isQuoted: boolean[]
  wrongQuoteAt?: number
}

/** Finds the cells in quotes. Quotes occur only around cells, or twice in them (RFC 4180, section 2). `raw` can end with a line break. */
export function readQuotes(raw: string, delimiter: string): Quotes {
  const text = raw.replace(/[\r\n]$/, '')
  const isQuoted: boolean[] = []
  for (let at = 0; at <= text.length; ) {
    const end = text[at] === '"' ? findClosingQuote(text, at) + 1 : text.indexOf(delimiter, at)
    const cellEnd = end < 0 ? text.length : end
    const isWrong =
      text[at] === '"'
        ? end === 0 || (end < text.length && text[end] !== delimiter)
        : text.slice(at, cellEnd).includes('"')
    if (isWrong) return { isQuoted, wrongQuoteAt: isQuoted.length }
    isQuoted.push(text[at] === '"')
    at = cellEnd + 1
  }
  return { isQuoted }
}

/** Returns the position of the quote that closes the cell at `start`, or -1. */
function findClosingQuote(text: string, start: number): number {
  let at = text.indexOf('"', start + 1)
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2)
  return at
}
