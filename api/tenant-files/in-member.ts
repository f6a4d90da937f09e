import { findProblem, Problem } from '../../shared/errors/errors.ts'

/**
 * Runs `work`. Adds the path of a member, or of a file, to the details of a problem, and `prefix` to its message. A
 * `not_found` becomes a `conflict`, because it is not about the path of the request.
 */
export async function inMember<Result>(path: string, work: () => Promise<Result>, prefix = ''): Promise<Result> {
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
    const name = problem.problem === 'not_found' ? 'conflict' : problem.problem
    throw new Problem(name, { message: prefix + message, details: located, cause: error })
  }
}
