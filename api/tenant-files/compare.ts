import { findAuditSize } from '../../db/repos/operations/audit/audit-checkpoints.ts'
import { findManagedObjects, type ManagedObject } from '../../db/repos/operations/managed-objects.ts'
import { Problem, type ProblemDetail } from '../../shared/errors/errors.ts'
import type { OperatorCall } from '../http/idempotency.ts'
import { innerCallOf, withoutCaches } from './inner-calls.ts'
import type { Kind } from './kind.ts'
import type { Operations } from './operations.ts'
import { makePlan, type Plan } from './plan.ts'
import { maxDetails } from './reviewed.ts'
import type { TenantFiles } from './schemas.ts'
import { maxObjectsOfTenant, readState, type State } from './state.ts'
import { type FileFault, readFiles } from './wanted.ts'

interface TenantObjects {
  managed: ManagedObject[]
  state: State
  /** The size of the audit before the objects were read. */
  auditSize: number
}

export interface Compared extends TenantObjects {
  plan: Plan
}

/** Reads the objects of the tenant, outside of a transaction. A change meanwhile has an audit row after `auditSize`. */
export async function readTenant(call: OperatorCall, operations: Map<Kind, Operations>): Promise<TenantObjects> {
  const { tenantId } = call
  const deps = withoutCaches(call.deps)
  const db = deps.db.read
  const auditSize = (await findAuditSize(db, tenantId)) ?? 0
  const managed = await findManagedObjects(db, tenantId, maxObjectsOfTenant)
  const state = await readState({ db, tenantId, call: innerCallOf(call, deps), operations, managed })
  return { managed, state, auditSize }
}

/** Plans the changes. Throws `bad_request` with all faults of the files. */
export async function planFiles(
  call: OperatorCall,
  operations: Map<Kind, Operations>,
  files: TenantFiles,
): Promise<Compared> {
  const objects = await readTenant(call, operations)
  const { wanted, faults } = await readFiles(files, operations, objects.state)
  const { db, secrets } = call.deps
  const plan = await makePlan({ db: db.read, secrets, tenantId: call.tenantId, operations, files, wanted, ...objects })
  refuse([...faults, ...plan.faults])
  return { plan, ...objects }
}

function refuse(faults: readonly FileFault[]): void {
  if (faults.length === 0) return
  const details = faults.slice(0, maxDetails).map(({ file, path, msg }): ProblemDetail => {
    return { msg, param: path === '' ? `objects.${file}` : `objects.${file}.${path}`, location: 'body' }
  })
  const left = faults.length - details.length
  if (left > 0) details.push({ msg: `${left} more faults are not shown`, param: 'objects', location: 'body' })
  throw new Problem('bad_request', { message: `Faults in the files: ${faults.length}.`, details })
}
