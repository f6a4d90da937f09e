import { forgetManagedObjects, saveManagedObjects } from '../../db/repos/operations/managed-objects.ts'
import { newOrderedId } from '../../shared/ids.ts'
import { tagOf } from '../http/if-match.ts'
import { ChangedSincePlan } from './changed-by-others.ts'
import { inMember } from './in-member.ts'
import type { Executing, FileObject, StoredObject } from './kind.ts'
import { ownerIdOf } from './names.ts'
import type { Step } from './plan.ts'
import { readOne } from './rest-kinds.ts'

/** An object that a step changed. */
export interface Executed {
  step: Step
  id: string
}

/**
 * Executes the steps in their order, in the transaction of `tx`. It does not let the event loop run, because other processes wait for
 * the write lock of SQLite. Throws the problem of the first step that is refused.
 */
export async function execute(executing: Executing, steps: readonly Step[]): Promise<Executed[]> {
  const { tx, tenantId, ids } = executing
  const executed: Executed[] = []
  const rows = []
  for (const step of steps) {
    const id = await inMember(`objects.${step.path}`, () => executeStep(executing, step), `${step.path}: `)
    executed.push({ step, id })
    if (!step.file) continue
    ids.set(step.path, id)
    rows.push(managedRow(executing, step.file, id))
  }
  const earlier = steps.flatMap(({ stored }) => stored?.managed?.id ?? [])
  await forgetManagedObjects(tx, tenantId, earlier)
  await saveManagedObjects(tx, rows)
  return executed
}

/** Returns the id of the object of the step. */
async function executeStep(executing: Executing, { op, file, stored, fields }: Step): Promise<string> {
  if (stored) await requireUnchanged(executing, stored)
  if (stored && (op === 'replace' || op === 'delete')) await stored.kind.remove(executing, stored)
  if (file && (op === 'create' || op === 'replace')) return file.kind.create(executing, file)
  if (file && stored && op === 'update') await file.kind.update(executing, file, stored, fields)
  return stored?.id ?? ''
}

/** Changes of other kinds have an audit row, which was noticed before. Throws `ChangedSincePlan`. */
async function requireUnchanged({ call }: Executing, { kind, params, view }: StoredObject): Promise<void> {
  const { retrieve, remove } = kind.routes
  if (!retrieve || !remove || remove.audit) return
  const [now] = await readOne(call, retrieve, params)
  if (now === undefined || tagOf(now) !== tagOf(view)) throw new ChangedSincePlan()
}

function managedRow(
  { tenantId, at, digest, ids }: Executing,
  { kind, names, path, ...file }: FileObject,
  objectId: string,
) {
  const own = kind.isSingleton ? path.split('/').at(-1) : names.at(-1)
  const parentId = ownerIdOf({ ...file, kind, names }, ids) ?? ''
  const name = own ?? path
  return { id: newOrderedId(at), tenantId, kind: kind.name, parentId, name, objectId, digest, createdAt: at }
}
