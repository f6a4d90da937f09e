/** Values per statement. SQLite allows 32,766 parameters. */
const chunkSize = 1000

export function chunksOf<Value>(values: readonly Value[], size = chunkSize): Value[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, at) => values.slice(at * size, (at + 1) * size))
}
