import { findProblem, Problem, toWireProblem, type WireProblem } from '../../shared/errors/errors.ts'
import type { SigningDeps } from './deps.ts'

/** Returns the problem for the caller of an item. Logs an internal error, which the caller does not see. */
export function problemOf({ log }: SigningDeps, error: unknown): WireProblem {
  const problem = findProblem(error)
  if (problem) return toWireProblem(problem)
  log.error({ err: error }, 'signing job item failed')
  return toWireProblem(new Problem('internal'))
}
