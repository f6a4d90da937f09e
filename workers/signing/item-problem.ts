import { findProblem, Problem, toWireProblem, type WireProblem } from '../../shared/errors.ts'
import type { SigningDeps } from './deps.ts'

/** What the caller of an item is told; what only we should know goes to the log. */
export function problemOf({ log }: SigningDeps, error: unknown): WireProblem {
  const problem = findProblem(error)
  if (problem) return toWireProblem(problem)
  log.error({ err: error }, 'an item of a signing job failed')
  return toWireProblem(new Problem('internal'))
}
