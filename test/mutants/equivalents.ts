interface Equivalent {
  file: string
  /** The line that the mutant starts on, without its indentation. */
  line: string
  /** The replacements; every replacement on the line by default. */
  becomes?: string[]
  /** Why no test can notice it. */
  because: string
}

/** Mutants that behave like the original, or differ only where nothing is promised. They do not count in the score. */
export const equivalents: readonly Equivalent[] = []
