/** Thrown if a delivery or a message cannot be attempted now. It waits in the database again, and no attempt is counted. */
export class AttemptPostponed extends Error {
  readonly delayMs: number

  constructor(delayMs: number) {
    super('attempt postponed')
    this.delayMs = delayMs
  }
}
