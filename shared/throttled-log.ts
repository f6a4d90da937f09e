const everyMs = 5_000
/** Kinds can contain text of others, such as what a host answered. More kinds forget all earlier ones. */
const mostKinds = 100

/**
 * For what can happen thousands of times a second: `write` gets the first one of a kind, and then one in 5 s with how many
 * there were since.
 */
export function createThrottledLog<Fields>(
  write: (fields: Fields & { times: number }) => void,
): (kind: string, fields: Fields) => void {
  const kinds = new Map<string, { writtenAt: number; times: number }>()
  return (kind, fields) => {
    if (kinds.size >= mostKinds && !kinds.has(kind)) kinds.clear()
    const known = kinds.get(kind) ?? { writtenAt: Number.NEGATIVE_INFINITY, times: 0 }
    kinds.set(kind, known)
    known.times++
    if (performance.now() - known.writtenAt < everyMs) return
    write({ ...fields, times: known.times })
    known.writtenAt = performance.now()
    known.times = 0
  }
}
