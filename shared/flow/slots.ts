export interface SlotLimits {
  /** Maximum slots that are taken at the same time, for each name. */
  maxRunning: number
  /** Maximum callers that wait for a slot, for each name. */
  maxWaiting: number
  /** The time that a caller waits. */
  deadlineMs: number
}

/** Limits concurrent work for each name. Callers with the same name get free slots in the order of their calls. */
export interface Slots {
  /** Takes a slot. Returns false if none became free in time, or if too many callers wait. */
  take(name: string): Promise<boolean>
  /** Gives a slot back. The caller must call it once for each slot that it took. */
  release(name: string): void
}

interface NamedSlots {
  running: number
  /** Callbacks of the waiting callers. The next one comes first. */
  waiting: Set<() => void>
}

export function createSlots({ maxRunning, maxWaiting, deadlineMs }: SlotLimits): Slots {
  const all = new Map<string, NamedSlots>()

  function waitForSlot({ waiting }: NamedSlots): Promise<boolean> {
    return new Promise((resolve) => {
      const start = () => {
        clearTimeout(timer)
        resolve(true)
      }
      const timer = setTimeout(() => {
        waiting.delete(start)
        resolve(false)
      }, deadlineMs)
      waiting.add(start)
    })
  }

  return {
    async take(name) {
      const slots = all.get(name) ?? { running: 0, waiting: new Set() }
      all.set(name, slots)
      if (slots.running === maxRunning) return slots.waiting.size < maxWaiting && waitForSlot(slots)
      slots.running++
      return true
    },
    release(name) {
      const slots = all.get(name)
      if (!slots) return
      const [next] = slots.waiting
      // The slot goes directly to the next caller.
      if (next && slots.waiting.delete(next)) return next()
      slots.running--
      if (slots.running === 0) all.delete(name)
    },
  }
}
