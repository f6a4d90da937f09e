export interface Equivalent {
  file: string
  /** The line that the mutant starts on, without its indentation. */
  line: string
  /** The replacements; every replacement on the line by default. */
  becomes?: string[]
  /** Why no test can notice it. */
  because: string
}

export const onlySaved = 'It saves a statement that finds nothing.'
