const everyMs = 5_000
/** A kind can contain external text, such as the response of a host. When the limit is reached, all kinds are forgotten. */
const maxKinds = 100

/**
 * Throttles a log message that can occur thousands of times a second. `write` gets the first message of a kind, and then one in 5 s
 * with the number of messages since then.
 */
export function createThrottledLog<Fields>(
  write: (fields: Fields & { times: number }) => void,
): (kind: string, fields: Fields) => void {
  const kinds = new Map<string, { writtenAt: number; times: number }>()
  return (kind, fields) => {
    if (kinds.size >= maxKinds && !kinds.has(kind)) kinds.clear()
    const entry = kinds.get(kind) ?? { writtenAt: Number.NEGATIVE_INFINITY, times: 0 }
    kinds.set(kind, entry)
    entry.times++
    if (performance.now() - entry.writtenAt < everyMs) return
    write({ ...fields, times: entry.times })
    entry.writtenAt = performance.now()
    entry.times = 0
  }
}
