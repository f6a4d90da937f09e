/** Thrown when a delivery is not attempted now after all: it waits again, and no attempt is counted. */
export class Later extends Error {
  readonly delayMs: number

  constructor(delayMs: number) {
    super('not now')
    this.delayMs = delayMs
  }
}
