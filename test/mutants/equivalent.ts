export interface Equivalent {
  file: string
  /** The line that the mutant starts on, without its indentation. */
  line: string
  /** The replacements. Absent for every replacement on the line. */
  becomes?: string[]
  /** The reason why no test can detect the mutant. */
  because: string
}

export const onlySaved = 'It saves a statement that finds nothing.'
