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
  /** Of the credential. */
  id: string
  status: CredentialStatus
  /** For the audit. */
  by: ChangedBy
}

/** `set` also when it was so before; `final` when it is invalid for good. */
export type StatusOutcome = 'set' | 'unknown' | 'not revocable' | 'final'

/** Sets the status of a credential, and tells the audit of it: both are committed when it returns. */
export type SetStatus = (change: StatusChange) => Promise<StatusOutcome>

/** So many are some 20 ms of a database; one that stands still is waited for as long as for a connection to it. */
const limits = { most: 100, longestWaitMs: 5_000 }

/**
 * Changes of one tenant's credentials that come at once are made in one transaction, with a row of the audit for each: the
 * head of the audit is locked until a transaction is committed, so that one by one they would wait for as many commits.
 */
export function createSetStatus(deps: { db: Database; clock: Clock }): SetStatus {
  const together = createBatcher<StatusChange, StatusOutcome>(limits, (changes) => setTogether(deps, changes))
  return (change) => together([change.tenantId, change.profile, change.status].join(' '), change)
}

/** All of one tenant and profile, and to the same status. */
async function setTogether(
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
      done.map(({ id, by }) => auditEntry(by, tenantId, { id, ...told(profile, status) })),
      at,
    )
    return changes.map(({ id }) => refused.get(id) ?? 'set')
  })
  countStatusChanges(status, outcomes.filter((outcome) => outcome === 'set').length)
  return outcomes
}

/** As the operation of the profile has it. */
function told(profile: StatusListKind, status: CredentialStatus) {
  return profile === 'mobile' ? { status } : { isRevoked: status === 'invalid' }
}
