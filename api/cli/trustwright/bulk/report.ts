import type { Terminal } from '../command.ts'

const barWidth = 30
/** A terminal gets at most one change of the line in this time. */
const drawEveryMs = 100
/** Standard error that is no terminal gets a line this often. */
const writeEveryMs = 3_000

/** The progress of work that has several parts. */
export interface ProgressReport {
  /** Shows a text, with a bar if the done part (0 to 1) is known. */
  show(text: string, part?: number): void
  /** Removes the line from a terminal. */
  clear(): void
}

export function createReport({ stderr }: Pick<Terminal, 'stderr'>): ProgressReport {
  const everyMs = stderr.isTTY ? drawEveryMs : writeEveryMs
  let shownAt = stderr.isTTY ? 0 : Date.now()
  return {
    show(text, part) {
      if (Date.now() - shownAt < everyMs) return
      shownAt = Date.now()
      // Erases the rest of the line (ECMA-48, EL).
      stderr.write(stderr.isTTY ? `\r${part === undefined ? '' : barOf(part)}${text}\u001b[K` : `${text}\n`)
    },
    clear() {
      if (stderr.isTTY) stderr.write('\r\u001b[2K')
    },
  }
}

function barOf(part: number): string {
  const filled = Math.round(barWidth * Math.min(1, Math.max(0, part)))
  return `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}] `
}

/** Returns seconds as `40 s`, `3 min` or `2 h 5 min`. */
export function durationOf(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 100 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
