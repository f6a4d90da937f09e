/** Values per statement: SQLite takes 32,766 parameters. */
const chunkSize = 1000

export function chunksOf<Value>(values: Value[]): Value[][] {
  return Array.from({ length: Math.ceil(values.length / chunkSize) }, (_, at) =>
    values.slice(at * chunkSize, (at + 1) * chunkSize),
  )
}
