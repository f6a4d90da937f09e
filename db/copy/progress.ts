const everyMs = 5_000

/** The lines that a copy prints. */
export interface CopyProgress {
  print(line: string): void
  /** Prints the line if none was printed for five seconds. */
  report(line: string): void
}

export function createCopyProgress(print: (line: string) => void): CopyProgress {
  let printedAt = performance.now()
  const printNow = (line: string) => {
    printedAt = performance.now()
    print(line)
  }
  return {
    print: printNow,
    report(line) {
      if (performance.now() - printedAt >= everyMs) printNow(line)
    },
  }
}

/** `1,000,000 rows`. */
export const rowsText = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'row' : 'rows'}`
