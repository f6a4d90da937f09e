import type { Writer } from '../../db/client.ts'
import type { Change } from '../../db/repos/operations/audit/audited.ts'
import type { Deps } from '../deps.ts'
import type { Compared } from './compare.ts'
import type { InnerCall } from './inner-calls.ts'
import type { Kind } from './kind.ts'
import type { Operations } from './operations.ts'

/** What the parts of an apply share. */
export interface Execution {
  operations: Map<Kind, Operations>
  /** The digest of the plan. */
  digest: string
  /** The ids of existing and of created objects, by path. */
  ids: Map<string, string>
  /** The ids of objects that steps deleted. */
  deleted: Set<string>
  /** The ids of rows whose objects do not exist any more. */
  missing: readonly string[]
}

/** What the steps of one transaction share. */
export interface Executing extends Execution {
  tx: Writer
  tenantId: string
  deps: Deps
  /** Changes in the same transaction. */
  change: Change
  call: InnerCall
  at: Date
}

export function beginExecution(operations: Map<Kind, Operations>, { plan, state, managed }: Compared): Execution {
  const existing = [...state.byPath.values()]
  const ids = new Map(existing.map(({ path, id }) => [path, id]))
  for (const { existing: before, path } of plan.steps) if (before) ids.set(path, before.id)
  const managedIds = new Set(existing.map(({ managed: row }) => row?.id))
  const missing = managed.map(({ id }) => id).filter((id) => !managedIds.has(id))
  return { operations, digest: plan.digest, ids, deleted: new Set(), missing }
}

/** An object of the tenant differs from what the plan compared. */
export class ChangedSincePlan extends Error {}
