import { findProblem, Problem } from '../../shared/errors/errors.ts'

/** Runs `work`. Adds the path of a member, or of a file, to the details of a problem. */
export async function inMember<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const problem = findProblem(error)
    if (!problem || problem.status >= 500) throw error
    const { message, details = [{ msg: message, param: '' }] } = problem
    const located = details.map((detail) => {
      const param = detail.param === '' ? path : `${path}.${detail.param}`
      return { ...detail, param, location: 'body' as const }
    })
    throw new Problem(problem.problem, { message, details: located, cause: error })
  }
}
