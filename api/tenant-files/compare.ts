import { findAuditSize } from '../../db/repos/operations/audit/audit-checkpoints.ts'
import { findManagedObjects } from '../../db/repos/operations/managed-objects.ts'
import { Problem, type ProblemDetail } from '../../shared/errors/errors.ts'
import { innerCallOf, withoutCaches } from '../audit/inner-calls.ts'
import type { OperatorCall } from '../http/idempotency.ts'
import { type FileFault, readFiles } from './files.ts'
import type { Kinds, StoredObject } from './kind.ts'
import { makePlan, type Plan } from './plan.ts'
import { maxDetails } from './reviewed.ts'
import { maxObjectsOfTenant, type TenantFiles } from './schemas.ts'
import { readStored } from './stored.ts'

interface TenantObjects {
  /** The objects by path. */
  stored: ReadonlyMap<string, StoredObject>
  /** The ids of rows whose objects do not exist any more. */
  missing: readonly string[]
  /** The size of the audit before the objects were read. */
  auditSize: number
}

export interface Compared extends TenantObjects {
  plan: Plan
}

/** Reads the objects of the tenant, outside of a transaction. A change meanwhile has an audit row after `auditSize`. */
export async function readTenant(call: OperatorCall, kinds: Kinds): Promise<TenantObjects> {
  const { tenantId } = call
  const deps = withoutCaches(call.deps)
  const db = deps.db.read
  const auditSize = (await findAuditSize(db, tenantId)) ?? 0
  const managed = await findManagedObjects(db, tenantId, maxObjectsOfTenant)
  const stored = await readStored({ db, tenantId, call: innerCallOf(call, deps), managed }, kinds)
  const rows = new Set([...stored.values()].map((object) => object.managed?.id))
  return { stored, missing: managed.map(({ id }) => id).filter((id) => !rows.has(id)), auditSize }
}

/** Plans the changes. Throws `bad_request` with all faults of the files. */
export async function planFiles(call: OperatorCall, kinds: Kinds, options: TenantFiles): Promise<Compared> {
  const objects = await readTenant(call, kinds)
  const { stored } = objects
  const { objects: files, faults } = await readFiles(options, kinds, stored)
  const { db, secrets } = call.deps
  const plan = await makePlan({ db: db.read, secrets, tenantId: call.tenantId, options, files, stored })
  refuse([...faults, ...plan.faults])
  return { ...objects, plan }
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
