/** The requests that wait for a response. */
export interface OpenRequests {
  /** Sends with a signal, which ends the request at the time limit or when all are cut off. */
  run<Result>(send: (signal: AbortSignal) => Promise<Result>): Promise<Result>
  /** Ends all requests, and each later one. */
  cut(): void
  isCut(): boolean
}

export const requestTimeoutMs = 30_000

export function createOpenRequests(): OpenRequests {
  const open = new Set<AbortController>()
  let isCut = false
  return {
    async run(send) {
      const controller = new AbortController()
      const timer = setTimeout(() => controller.abort(), requestTimeoutMs)
      open.add(controller)
      if (isCut) controller.abort()
      try {
        return await send(controller.signal)
      } finally {
        clearTimeout(timer)
        open.delete(controller)
      }
    },
    cut() {
      isCut = true
      for (const controller of open) controller.abort()
    },
    isCut: () => isCut,
  }
}
