/** Measures the current round trip time of the database in this process. */
export interface Pace {
  measure<Answer>(answer: Promise<Answer>): Promise<Answer>
  /** The time to reserve for a commit: 1.5 times the last round trip. */
  commitMs(): number
}

export function createPace(): Pace {
  let lastMs = 0
  return {
    async measure(answer) {
      const sentAt = performance.now()
      try {
        return await answer
      } finally {
        lastMs = performance.now() - sentAt
      }
    },
    commitMs: () => lastMs * 1.5,
  }
}
