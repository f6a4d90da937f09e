import type { Database } from '../../../db/client.ts'
import { appendToAudit } from '../../../db/repos/operations/audit.ts'
import { auditEntry, type ChangedBy } from '../../../db/repos/operations/audited.ts'
import { setStatuses } from '../../../db/repos/status/entries.ts'
import type { CredentialStatus } from '../../../db/tables/issuance/credentials.ts'
import type { StatusListKind } from '../../../db/tables/status/lists.ts'
import type { Clock } from '../../../shared/clock.ts'
import { createBatcher } from '../../../shared/flow/batch.ts'
import { countStatusChanges } from '../../../shared/metrics/status-changes.ts'

export interface StatusChange {
  tenantId: string
  profile: StatusListKind
  /** The id of the credential. */
  id: string
  status: CredentialStatus
  /** The author of the change, for the audit log. */
  by: ChangedBy
}

/**
 * `set` is also the outcome if the credential had this status already. `final` means that the credential is invalid
 * permanently.
 */
export type StatusOutcome = 'set' | 'unknown' | 'not revocable' | 'final'

/** Sets the status of a credential and writes the audit entry. Both are committed when it returns. */
export type SetStatus = (change: StatusChange) => Promise<StatusOutcome>

/** A batch takes about 20 ms in the database. A caller waits as long as for a database connection. */
const limits = { most: 100, longestWaitMs: 5_000 }

/**
 * Batches concurrent status changes of one tenant in one transaction, with an audit entry for each. A transaction locks the head
 * of the audit log until its commit. Without batches, each change would wait for the commits of the changes before it.
 */
export function createSetStatus(deps: { db: Database; clock: Clock }): SetStatus {
  const setInBatch = createBatcher<StatusChange, StatusOutcome>(limits, (changes) => setBatch(deps, changes))
  return (change) => setInBatch([change.tenantId, change.profile, change.status].join(' '), change)
}

/** Sets the status of credentials. All changes have the same tenant, profile and status. */
async function setBatch(
  { db, clock }: { db: Database; clock: Clock },
  changes: StatusChange[],
): Promise<StatusOutcome[]> {
  const [first] = changes
  if (!first) return []
  const { tenantId, profile, status } = first
  const outcomes = await db.tx(async (tx) => {
    const ids = [...new Set(changes.map(({ id }) => id))]
    const at = clock.now()
    const { unknown, notRevocable, final } = await setStatuses(tx, tenantId, ids, { status, profile, at })
    const refused = new Map<string, StatusOutcome>([
      ...unknown.map((id) => [id, 'unknown'] as const),
      ...notRevocable.map((id) => [id, 'not revocable'] as const),
      ...final.map((id) => [id, 'final'] as const),
    ])
    const done = changes.filter(({ id }) => !refused.has(id))
    await appendToAudit(
      tx,
      done.map(({ id, by }) => auditEntry(by, tenantId, { id, ...auditData(profile, status) })),
      at,
    )
    return changes.map(({ id }) => refused.get(id) ?? 'set')
  })
  countStatusChanges(status, outcomes.filter((outcome) => outcome === 'set').length)
  return outcomes
}

/** Returns the audit data in the form of the profile's request body. */
function auditData(profile: StatusListKind, status: CredentialStatus) {
  return profile === 'mobile' ? { status } : { isRevoked: status === 'invalid' }
}
