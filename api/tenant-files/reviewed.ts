import type { z } from 'zod'
import { Problem, type ProblemDetail } from '../../shared/errors/errors.ts'
import type { Plan } from './plan.ts'
import type { ApplyBody } from './schemas.ts'

/** The most details of a problem. */
export const maxDetails = 1_000

/** The members of the reviewed plan that an apply sends. */
export type Reviewed = Pick<z.output<typeof ApplyBody>, 'basedOn' | 'digest'>

/**
 * Compares a new plan with the reviewed one. Throws `precondition_failed` if the files are not those of the plan, or with the objects
 * that changed since. `made` has the paths of the changes that this apply has made already.
 */
export function requireReviewed({ basedOn, digest }: Reviewed, plan: Plan, made: ReadonlySet<string>): void {
  const hasOtherFiles = digest !== undefined && digest !== plan.digest
  const moved = movedPaths(basedOn, plan, hasOtherFiles, made)
  if (!hasOtherFiles && moved.length === 0) return
  const details = moved.slice(0, maxDetails).map((path): ProblemDetail => {
    const now = plan.basedOn[path] ?? null
    const msg = now === null ? 'Was deleted' : basedOn[path] ? 'Was changed' : 'Was created'
    return { msg: `${msg} after the plan`, param: `basedOn.${path}`, location: 'body' }
  })
  if (hasOtherFiles) details.unshift({ msg: otherFiles, param: 'digest', location: 'body' })
  const changed = moved.length === 0 ? [] : [`Objects that changed after the plan: ${moved.length}.`]
  const message = [...(hasOtherFiles ? [`${otherFiles}.`] : []), ...changed, 'Make a new plan.'].join(' ')
  throw new Problem('precondition_failed', { message, details })
}

const otherFiles = 'The files, variables, secrets, options or tenant are not those of the plan'

/** Returns the paths of objects whose version is not that of the reviewed plan. Other files compare other objects. */
function movedPaths(
  planned: Reviewed['basedOn'],
  { basedOn: now, steps }: Plan,
  hasOtherFiles: boolean,
  made: ReadonlySet<string>,
): string[] {
  const paths = [...new Set([...Object.keys(planned), ...Object.keys(now)])]
  const compared = hasOtherFiles ? paths.filter((path) => path in planned && path in now) : paths
  const left = new Set(steps.map(({ path }) => path))
  // A change that was made is not planned again, unless its object was changed after it.
  return compared.filter((path) => (made.has(path) ? left.has(path) : (planned[path] ?? null) !== (now[path] ?? null)))
}
