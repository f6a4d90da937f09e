import { findAuditOfOthers } from '../../db/repos/operations/audit/audit.ts'
import { ChangedSincePlan, type Executing } from './execution.ts'
import type { Kind } from './kind.ts'
import { toName } from './names.ts'
import { applyAuditType, type Operations } from './operations.ts'
import type { Step } from './plan.ts'
import { ownerIdOf, ownerParams, readOne } from './state.ts'

/** With more changes of other requests, a new plan is faster than a look at each of them. */
const maxRows = 1_000

/** The audit rows of other requests than this one that were written after the plan. */
export interface Others {
  after: number
  requestId: string
}

/**
 * Throws `ChangedSincePlan` if other requests changed an object of the steps, or created an object at the path of a new file. Changes
 * of other objects do not matter. Objects whose changes have no audit row are compared when their step is executed.
 */
export async function requireUnchangedByOthers(
  executing: Executing,
  steps: readonly Step[],
  others: Others,
): Promise<void> {
  const { tx, tenantId, operations } = executing
  const changes = auditedChanges(operations)
  const types = [applyAuditType, ...changes.keys()]
  const rows = await findAuditOfOthers(tx, tenantId, { ...others, types }, maxRows)
  if (rows.length === maxRows) throw new ChangedSincePlan()
  const { objects, files, paths } = keysOf(executing, steps)
  for (const { type, data } of rows) {
    const change = changes.get(type)
    const isConcerned = change
      ? objects.has(objectKey(change.kind, change.idIn(data, tenantId))) ||
        (change.isCreation && (await isAtPathOf(executing, files, change.kind, data)))
      : paths.has(String(data.path))
    if (isConcerned) throw new ChangedSincePlan()
  }
}

interface AuditedChange {
  kind: Kind
  isCreation: boolean
  /** Returns the id of the object in the data of the row. */
  idIn(data: Record<string, unknown>, tenantId: string): string
}

/** Returns the changes that have an audit row, by the type of the row. A change of a part is one of its object. */
function auditedChanges(operations: ReadonlyMap<Kind, Operations>): Map<string, AuditedChange> {
  const changes = new Map<string, AuditedChange>()
  for (const [kind, { idParam = '', parts, ...own }] of operations) {
    const add = ({ create, replace, remove }: Operations, idIn: AuditedChange['idIn'], ofObject: boolean) => {
      for (const route of [create, replace, remove])
        if (route?.audit) changes.set(`${route.event}_AUDIT`, { kind, isCreation: ofObject && route === create, idIn })
    }
    const idIn = (data: Record<string, unknown>, tenantId: string) =>
      String(kind.isOne ? (data[kind.parent?.param ?? ''] ?? tenantId) : data.id)
    add(own, idIn, true)
    for (const part of parts?.values() ?? []) add(part, (data) => String(data[idParam]), false)
  }
  return changes
}

function keysOf({ ids, tenantId }: Executing, steps: readonly Step[]) {
  const existing = steps.flatMap(({ existing }) => existing ?? [])
  const created = steps
    .flatMap(({ wanted, existing }) => (wanted && !existing ? [wanted] : []))
    .map(({ kind, names }) => ({ kind, name: names.at(-1), ownerId: ownerIdOf({ kind, names }, ids)?.id }))
  const singletons = created
    .filter(({ kind }) => kind.isOne)
    .map(({ kind, ownerId = tenantId }) => ({ kind, id: ownerId }))
  return {
    objects: new Set([...existing, ...singletons].map(({ kind, id }) => objectKey(kind, id))),
    files: new Set(created.map(({ kind, ownerId, name }) => fileKey(kind, ownerId, name))),
    paths: new Set(steps.flatMap(({ path, existing }) => [path, existing?.path ?? path])),
  }
}

/** Whether an object that another request created has the path of one of the new files. */
async function isAtPathOf(
  { call, operations, tenantId }: Executing,
  files: ReadonlySet<string>,
  kind: Kind,
  data: Record<string, unknown>,
): Promise<boolean> {
  const { retrieve, idParam = '' } = operations.get(kind) ?? {}
  const owner = kind.parent && { id: String(data[kind.parent.param]) }
  const params = { ...ownerParams(kind, owner, tenantId), [idParam]: String(data.id) }
  const [view] = await readOne(call, retrieve, params)
  return view !== undefined && files.has(fileKey(kind, owner?.id, toName(kind.nameOf(view), kind.name)))
}

function objectKey({ name }: Kind, id: string): string {
  return `${name} ${id}`
}

function fileKey({ name: kind }: Kind, ownerId = '', name = ''): string {
  return `${kind} ${ownerId} ${name}`
}
