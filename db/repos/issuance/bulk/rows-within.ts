/** The stored size of the sealed content of a row. */
export interface RowSize {
  row: number
  bytes: number
}

/** Returns the row that reaches `maxBytes`, or the last one. Undefined if there are none. */
export function lastRowWithin(sizes: RowSize[], maxBytes: number): number | undefined {
  let sum = 0
  const end = sizes.find(({ bytes }) => {
    sum += bytes
    return sum >= maxBytes
  })
  return (end ?? sizes.at(-1))?.row
}
