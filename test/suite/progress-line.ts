/** The time left is not estimated before this time. */
const minElapsedMs = 5_000

/**
 * The last line of a terminal during a run: files that are done, failed files, time that is left. Elsewhere it is printed as a line of its own once
 * a minute. The time is estimated from the durations of earlier runs, where they are known.
 */
export class ProgressLine {
  readonly #weights: Map<string, number>
  readonly #total: number
  readonly #startedAt = performance.now()
  #done = 0
  #doneFiles = 0
  #failedFiles = 0
  #printedAt = performance.now()
  #isShown = false

  constructor(files: string[], durationOf: (file: string) => number | undefined) {
    const durations = files.map(durationOf).filter((ms) => ms !== undefined)
    const mean = durations.length > 0 ? durations.reduce((sum, ms) => sum + ms, 0) / durations.length : 1
    this.#weights = new Map(files.map((file) => [file, durationOf(file) ?? mean]))
    this.#total = [...this.#weights.values()].reduce((sum, weight) => sum + weight, 0)
  }

  fileDone(file: string, isOk: boolean): void {
    this.#done += this.#weights.get(file) ?? 0
    this.#doneFiles++
    if (!isOk) this.#failedFiles++
    if (process.stdout.isTTY) {
      process.stdout.write(this.#text())
      this.#isShown = true
    } else if (performance.now() - this.#printedAt > 60_000) {
      this.#printedAt = performance.now()
      console.log(this.#text())
    }
  }

  /** Removes the line, so that other output can be printed. */
  clear(): void {
    if (this.#isShown) process.stdout.write('\r\u001b[K')
    this.#isShown = false
  }

  #text(): string {
    const failed = this.#failedFiles > 0 ? `, ${this.#failedFiles} failed` : ''
    return `${this.#doneFiles} of ${this.#weights.size} files done${failed}${this.#timeLeft()}`
  }

  #timeLeft(): string {
    const elapsedMs = performance.now() - this.#startedAt
    if (elapsedMs < minElapsedMs || this.#done === 0) return ''
    const leftSeconds = Math.round(((elapsedMs / this.#done) * (this.#total - this.#done)) / 1_000)
    return leftSeconds < 90 ? `, about ${leftSeconds} s left` : `, about ${Math.round(leftSeconds / 60)} min left`
  }
}
