import { findAuditOfOthers } from '../../db/repos/operations/audit/audit.ts'
import type { Executing, Kind, KindRoutes } from './kind.ts'
import { ownerIdOf, toName } from './names.ts'
import type { Step } from './plan.ts'
import { hasFixedParams, paramsOf, readOne } from './rest-kinds.ts'

/** The event of an apply. */
export const applyEvent = 'CONFIGURATION_APPLY'

/** An object of the tenant differs from what the plan compared. */
export class ChangedSincePlan extends Error {}

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
  const { tx, tenantId } = executing
  const changes = auditedChanges(steps)
  const types = [...new Set([`${applyEvent}_AUDIT`, ...changes.map(({ type }) => type)])]
  const rows = await findAuditOfOthers(tx, tenantId, { ...others, types }, maxRows)
  if (rows.length === maxRows) throw new ChangedSincePlan()
  const keys = new Set(steps.flatMap((step) => keysOfStep(executing, step)))
  for (const { type, data } of rows)
    for (const key of await keysOfRow(executing, type, data, changes)) if (keys.has(key)) throw new ChangedSincePlan()
}

interface AuditedChange {
  /** The type of its audit row. */
  type: string
  kind: Kind
  isCreation: boolean
  /** Returns the id of the object in the data of the row. */
  idIn(data: Record<string, unknown>, tenantId: string): string
}

/** Returns the changes of the kinds of the steps. A change of a member with routes is one of its object. */
function auditedChanges(steps: readonly Step[]): AuditedChange[] {
  const changes: AuditedChange[] = []
  for (const kind of new Set(steps.flatMap(({ file, stored }) => (file ?? stored)?.kind ?? []))) {
    const { parent, isSingleton, routes, memberRoutes } = kind
    const add = ({ create, replace, remove }: KindRoutes, idIn: AuditedChange['idIn'], ofObject: boolean) => {
      for (const route of [create, replace, remove])
        if (route?.audit)
          changes.push({ type: `${route.event}_AUDIT`, kind, isCreation: ofObject && route === create, idIn })
    }
    add(routes, (data, tenantId) => String(isSingleton ? (data[parent?.param ?? ''] ?? tenantId) : data.id), true)
    for (const each of memberRoutes.values()) add(each, (data) => String(data[routes.idParam ?? '']), false)
  }
  return changes
}

/** Returns what identifies the object of a step: its paths, its id, and the name of a new object in its owner. */
function keysOfStep({ ids, tenantId }: Executing, { path, file, stored }: Step): string[] {
  if (stored) return [path, stored.path, objectKey(stored.kind, stored.id)]
  if (!file) return [path]
  const { kind, names } = file
  const ownerId = ownerIdOf(file, ids)
  const own = kind.isSingleton ? objectKey(kind, ownerId ?? tenantId) : nameKey(kind, ownerId, names.at(-1))
  return [path, own]
}

/** Returns what identifies the object of an audit row. The row of another apply has its path. */
async function keysOfRow(
  { call, tenantId }: Executing,
  type: string,
  data: Record<string, unknown>,
  changes: readonly AuditedChange[],
): Promise<string[]> {
  const change = changes.findLast((each) => each.type === type && hasFixedParams(each.kind, data))
  if (!change) return [String(data.path)]
  const { kind, isCreation, idIn } = change
  const id = idIn(data, tenantId)
  if (!isCreation) return [objectKey(kind, id)]
  const ownerId = kind.parent && String(data[kind.parent.param])
  const views = await readOne(call, kind.routes.retrieve, paramsOf(kind, { ownerId, id, tenantId }))
  return views.map((view) => nameKey(kind, ownerId, toName(kind.nameOf(view), kind.name)))
}

function objectKey({ name }: Kind, id: string): string {
  return `${name} ${id}`
}

function nameKey({ name: kind }: Kind, ownerId = '', name = ''): string {
  return `${kind} ${ownerId} ${name}`
}
