/** How long the database takes to answer a message at the moment, as seen by this process. */
export interface Pace {
  measure<Answer>(answer: Promise<Answer>): Promise<Answer>
  /** The time to allow for a commit: the last message took two thirds of it. */
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
