import type { Terminal } from './command.ts'

const barWidth = 30
/** A terminal gets at most this many changes of the bar. */
const drawEveryMs = 100

/** The progress of long work. */
export interface Progress {
  show(done: number): void
  /** Removes the bar. */
  end(): void
}

/** Returns a progress bar on standard error. It prints nothing if standard error is not a terminal. */
export function createProgress({ stderr }: Pick<Terminal, 'stderr'>, label: string, total: number): Progress {
  if (!stderr.isTTY) return { show() {}, end() {} }
  let drawnAt = 0
  return {
    show(done) {
      if (done < total && Date.now() - drawnAt < drawEveryMs) return
      drawnAt = Date.now()
      const filled = total === 0 ? barWidth : Math.round((barWidth * Math.min(done, total)) / total)
      stderr.write(`\r${label} [${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}] ${done}/${total}`)
    },
    // Erases the line (ECMA-48, EL).
    end: () => void stderr.write('\r\u001b[2K'),
  }
}
