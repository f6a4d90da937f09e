export interface HostSlotLimits {
  /** So many are taken at once under each name. */
  places: number
  /** So many wait for one of a name, */
  line: number
  /** and for so long. */
  waitMs: number
}

export interface HostSlots {
  /** False when none became free in time, or too many wait. Whoever got one gives it back with `leave`. */
  take(name: string): Promise<boolean>
  leave(name: string): void
}

interface Named {
  taken: number
  /** Whose turn it is comes first. */
  line: Set<() => void>
}

export function createHostSlots({ places, line, waitMs }: HostSlotLimits): HostSlots {
  const all = new Map<string, Named>()

  function standInLine(named: Named): Promise<boolean> {
    return new Promise((resolve) => {
      const enter = () => {
        clearTimeout(timer)
        resolve(true)
      }
      const timer = setTimeout(() => {
        named.line.delete(enter)
        resolve(false)
      }, waitMs)
      named.line.add(enter)
    })
  }

  return {
    async take(name) {
      const named = all.get(name) ?? { taken: 0, line: new Set() }
      all.set(name, named)
      if (named.taken === places) return named.line.size < line && standInLine(named)
      named.taken++
      return true
    },
    leave(name) {
      const named = all.get(name)
      if (!named) return
      const [next] = named.line
      // The place goes to whoever waited the longest.
      if (next && named.line.delete(next)) return next()
      named.taken--
      if (named.taken === 0) all.delete(name)
    },
  }
}
