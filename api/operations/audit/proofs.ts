import { findCheckpoint } from '../../../db/repos/operations/audit/audit-checkpoints.ts'
import { findAuditLeaf, openAuditTree } from '../../../db/repos/operations/audit/audit-tree.ts'
import type { Deps } from '../../deps.ts'

/** Returns the inclusion proof of an entry in the checkpoint of this size. Undefined if there is no entry with this number. */
export async function proveEntry({ db }: Deps, tenantId: string, number: number, size: number) {
  const leaf = await findAuditLeaf(db.read, tenantId, number)
  if (!leaf) return undefined
  const hashes = await openAuditTree({ db: db.read, tenantId, size }).inclusionProof(number - 1)
  return { number, size, leaf: leaf.toString('base64'), hashes: hashes.map((each) => each.toString('base64')) }
}

/** Returns the proof of an entry in the last checkpoint. Undefined if no checkpoint covers it. */
export async function proveInLast(deps: Deps, tenantId: string, number: number) {
  const last = await findCheckpoint(deps.db.read, tenantId, 'last')
  return last && last.size >= number ? proveEntry(deps, tenantId, number, last.size) : undefined
}
