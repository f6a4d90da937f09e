import type { z } from 'zod'
import type { Writer } from '../../db/client.ts'
import { holdTenant } from '../../db/hold.ts'
import type { Change } from '../../db/repos/operations/audited.ts'
import {
  findManagedObjects,
  forgetManagedObjects,
  type ManagedObject,
} from '../../db/repos/operations/managed-objects.ts'
import { Problem, type ProblemDetail } from '../../shared/errors.ts'
import type { Deps } from '../deps.ts'
import type { OperatorCall } from '../http/idempotency.ts'
import type { Route } from '../http/route.ts'
import { type Executed, execute } from './execute.ts'
import { depsInside, innerCallOf } from './inner-calls.ts'
import type { Kind } from './kind.ts'
import { type Operations, operationsByKind } from './operations.ts'
import { makePlan, type Plan, type Step } from './plan.ts'
import type { ApplyBody, ApplyView, PlannedChange, TenantFiles } from './schemas.ts'
import { maxObjectsOfTenant, readState, type State } from './state.ts'
import { type FileFault, readFiles } from './wanted.ts'

export interface Compared {
  plan: Plan
  state: State
  operations: Map<Kind, Operations>
  managed: ManagedObject[]
}

/** Reads the objects of the tenant. `deps` decide whether they are read in a transaction. */
export async function readTenant(call: OperatorCall, deps: Deps, routes: readonly Route[]) {
  const operations = operationsByKind(routes)
  const managed = await findManagedObjects(deps.db.read, call.tenantId, maxObjectsOfTenant)
  const state = await readState({
    db: deps.db.read,
    tenantId: call.tenantId,
    call: innerCallOf(call, deps),
    operations,
    managed,
  })
  return { operations, managed, state }
}

/** Plans the changes. Throws `bad_request` with all faults of the files. */
export async function planFiles(
  call: OperatorCall,
  deps: Deps,
  routes: readonly Route[],
  files: TenantFiles,
): Promise<Compared> {
  const read = await readTenant(call, deps, routes)
  const { wanted, faults } = await readFiles(files, read.operations, read.state)
  const { db, secrets } = deps
  const plan = await makePlan({ db: db.read, secrets, tenantId: call.tenantId, files, wanted, ...read })
  refuse([...faults, ...plan.faults])
  return { plan, ...read }
}

const maxFaults = 1_000

function refuse(faults: readonly FileFault[]): void {
  if (faults.length === 0) return
  const details = faults.slice(0, maxFaults).map(({ file, path, msg }): ProblemDetail => {
    return { msg, param: path === '' ? `objects.${file}` : `objects.${file}.${path}`, location: 'body' }
  })
  const left = faults.length - details.length
  if (left > 0) details.push({ msg: `${left} more faults are not shown`, param: 'objects', location: 'body' })
  throw new Problem('bad_request', { message: `Faults in the files: ${faults.length}. Nothing was changed.`, details })
}

/** What an apply has of its plan. */
type Reviewed = Pick<z.output<typeof ApplyBody>, 'basedOn' | 'digest'>

/**
 * Makes the planned changes in one transaction. Throws `precondition_failed` if the files are not those of the plan, or with the objects
 * that changed since the plan, and the problem of the first change that is refused. It changes nothing then.
 */
export async function applyFiles(
  call: OperatorCall & { change: Change },
  routes: readonly Route[],
  { basedOn, digest: reviewed, ...files }: TenantFiles & Reviewed,
): Promise<z.output<typeof ApplyView>> {
  const { deps, tenantId } = call
  const done = await call.change(async (tx, record) => {
    await holdTenant(tx, tenantId)
    const inside = depsInside(deps, tx)
    const { plan, state, operations, managed } = await planFiles(call, inside.deps, routes, files)
    requireReviewed({ basedOn, digest: reviewed }, plan)
    const innerCall = innerCallOf(call, inside.deps)
    const at = deps.clock.now()
    const common = {
      tx,
      tenantId,
      deps: inside.deps,
      call: innerCall,
      operations,
      state,
      at,
      deleted: new Set<string>(),
    }
    const executed = await execute({ ...common, change: (work) => work(tx, record) }, plan)
    await forgetDeleted(tx, tenantId, managed, state, executed)
    const { digest } = plan
    record(tenantId, { digest, changes: executed.length })
    for (const { step, id } of executed)
      record(tenantId, { digest, id, operation: step.op, kind: step.kind, path: step.path })
    return { plan, afterCommit: inside.afterCommit }
  })
  done.afterCommit()
  const { digest, steps, pending } = done.plan
  const created = steps.filter(({ op, wanted }) => (op === 'create' || op === 'replace') && wanted?.kind.withKeys)
  return { digest, changes: steps.map(presentStep), pending: [...pending, ...created.map(({ path }) => path)] }
}

export function presentStep({ op, kind, path, fields, isDestructive, why }: Step): PlannedChange {
  return { op, kind, path, fields, isDestructive, why }
}

function requireReviewed({ basedOn, digest }: Reviewed, plan: Plan): void {
  const hasOtherFiles = digest !== undefined && digest !== plan.digest
  const moved = movedPaths(basedOn, plan.basedOn, hasOtherFiles)
  if (!hasOtherFiles && moved.length === 0) return
  const details = moved.slice(0, maxFaults).map((path): ProblemDetail => {
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

/** Returns the paths of objects whose version is not that of the plan. Other files compare other objects. */
function movedPaths(planned: Reviewed['basedOn'], now: Plan['basedOn'], hasOtherFiles: boolean): string[] {
  const paths = [...new Set([...Object.keys(planned), ...Object.keys(now)])]
  const compared = hasOtherFiles ? paths.filter((path) => path in planned && path in now) : paths
  return compared.filter((path) => (planned[path] ?? null) !== (now[path] ?? null))
}

/** Deletes the rows of objects that were deleted, now or earlier. */
async function forgetDeleted(
  tx: Writer,
  tenantId: string,
  managed: readonly ManagedObject[],
  { byPath }: State,
  executed: readonly Executed[],
): Promise<void> {
  const deleted = new Set(executed.flatMap(({ step }) => (step.op === 'delete' ? [step.existing?.managed?.id] : [])))
  const existing = new Set([...byPath.values()].map(({ managed: row }) => row?.id))
  const ids = managed.map(({ id }) => id).filter((id) => deleted.has(id) || !existing.has(id))
  await forgetManagedObjects(tx, tenantId, ids)
}
