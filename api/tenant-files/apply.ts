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
import type { ApplyView, PlannedChange, TenantFiles } from './schemas.ts'
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
  const { wanted, faults } = readFiles(files, read.operations, read.state)
  const { db, secrets } = deps
  const plan = await makePlan({ db: db.read, secrets, tenantId: call.tenantId, files, wanted, ...read })
  refuse([...faults, ...plan.faults])
  return { plan, ...read }
}

const maxFaults = 100

function refuse(faults: readonly FileFault[]): void {
  if (faults.length === 0) return
  const details = faults.slice(0, maxFaults).map(({ file, path, msg }): ProblemDetail => {
    return { msg, param: path === '' ? `objects.${file}` : `objects.${file}.${path}`, location: 'body' }
  })
  throw new Problem('bad_request', { message: `Faults in the files: ${faults.length}. Nothing was changed.`, details })
}

/**
 * Makes the planned changes in one transaction. Throws `precondition_failed` with the objects that changed since the plan, and the
 * problem of the first change that is refused. It changes nothing then.
 */
export async function applyFiles(
  call: OperatorCall & { change: Change },
  routes: readonly Route[],
  { basedOn, ...files }: TenantFiles & { basedOn: Record<string, string | null> },
): Promise<z.output<typeof ApplyView>> {
  const { deps, tenantId } = call
  const done = await call.change(async (tx, record) => {
    await holdTenant(tx, tenantId)
    const inside = depsInside(deps, tx)
    const { plan, state, operations, managed } = await planFiles(call, inside.deps, routes, files)
    requireUnchanged(basedOn, plan.basedOn)
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

function requireUnchanged(planned: Record<string, string | null>, now: Record<string, string | null>): void {
  const paths = [...new Set([...Object.keys(planned), ...Object.keys(now)])]
  const moved = paths.filter((path) => (planned[path] ?? null) !== (now[path] ?? null))
  if (moved.length === 0) return
  const details = moved.slice(0, maxFaults).map((path): ProblemDetail => {
    const msg =
      now[path] === undefined || now[path] === null ? 'Was deleted' : planned[path] ? 'Was changed' : 'Was created'
    return { msg: `${msg} after the plan`, param: `basedOn.${path}`, location: 'body' }
  })
  throw new Problem('precondition_failed', {
    message: `Objects that changed after the plan: ${moved.length}. Make a new plan.`,
    details,
  })
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
