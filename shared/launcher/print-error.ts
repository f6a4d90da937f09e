import { Misconfigured } from '../process/dependency.ts'

/** Prints an error, without a stack if the user can solve it. Returns the exit code. */
export function printError(error: unknown): number {
  console.error(error instanceof Misconfigured ? `\n${error.message}` : error)
  return 1
}
