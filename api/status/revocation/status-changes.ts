import type { Writer } from '../../../db/client.ts'
import { type AuditEntry, appendToAudit } from '../../../db/repos/operations/audit/audit.ts'
import { auditEntry, type ChangedBy } from '../../../db/repos/operations/audit/audited.ts'
import { setStatuses } from '../../../db/repos/status/entries.ts'
import type { CredentialStatus } from '../../../db/tables/issuance/credentials.ts'
import type { StatusListKind } from '../../../db/tables/status/lists.ts'
import { type Deadline, noDeadline } from '../../../shared/deadline.ts'
import { isCertifiedProfile } from '../../../shared/domain/issuance/profiles.ts'
import { findProblem, Problem } from '../../../shared/errors/errors.ts'
import { createBatcher } from '../../../shared/flow/batch.ts'
import { countStatusChanges } from '../../../shared/metrics/status-changes.ts'
import { defineService, type ServiceDeps } from '../../process/services.ts'

export interface StatusChange {
  tenantId: string
  profile: StatusListKind
  /** The id of the credential. */
  id: string
  status: CredentialStatus
  /** The data of the audit row. */
  by: ChangedBy
  /** The name of the client or person. */
  changedByName: string
}

/** `set` also if the credential had the status already. `final` if it is revoked, which is permanent. */
export type StatusOutcome = 'set' | 'unknown' | 'not revocable' | 'final'

interface StatusSetter {
  /**
   * Sets the status of a credential and writes an audit row. Both are committed when it returns. Throws `service_unavailable` if the
   * change cannot be committed before the deadline. The change is then not written.
   */
  set(change: StatusChange, deadline?: Deadline): Promise<StatusOutcome>
}

interface PendingChange extends StatusChange {
  deadline: Deadline
}

/** A full batch takes about 20 ms. Changes wait for a slow database as long as for a connection to it. */
const limits = { maxItems: 100, maxWaiting: 1_000, deadlineMs: 5_000 }

/**
 * Batches concurrent changes of the credentials of one tenant into one transaction, with one audit row for each. A transaction
 * locks the head of the audit until its commit, so separate transactions would wait for each other.
 */
export const statusSetter = defineService<StatusSetter>('statusSetter', {
  create: createStatusSetter,
  bind: ({ set }, { deadline }) => ({ set: (change) => set(change, deadline) }),
})

function createStatusSetter(deps: ServiceDeps): StatusSetter {
  const together = createBatcher<PendingChange, StatusOutcome | Problem>(limits, (changes) => setInTime(deps, changes))
  return {
    async set(change, deadline = noDeadline) {
      const queue = [change.tenantId, change.profile, change.status].join(' ')
      const outcome = await together(queue, { ...change, deadline })
      if (outcome instanceof Problem) throw outcome
      return outcome
    },
  }
}

/** Sets the changes whose deadlines leave time for the commit. Returns the problem of each other change, which is not written. */
async function setInTime(deps: ServiceDeps, changes: PendingChange[]): Promise<(StatusOutcome | Problem)[]> {
  const late = new Map<PendingChange, Problem>()
  for (;;) {
    const inTime = changes.filter((change) => !late.has(change))
    const lateBefore = late.size
    const deadline = earliestOf(inTime, late)
    try {
      deadline.require()
      const outcomes = await setTogether(deps, inTime, deadline)
      const outcomeOf = new Map(inTime.map((change, index) => [change, outcomes[index]]))
      // Boundary: each change is in one of the two.
      return changes.map((change) => (late.get(change) ?? outcomeOf.get(change)) as StatusOutcome | Problem)
    } catch (error) {
      if (late.size === lateBefore) throw error
    }
  }
}

/** The deadline of a transaction with these changes. If a change has too little time, the deadline adds it to `late` and throws. */
function earliestOf(changes: PendingChange[], late: Map<PendingChange, Problem>): Deadline {
  return {
    ...noDeadline,
    require(ms) {
      for (const change of changes) {
        try {
          change.deadline.require(ms)
        } catch (error) {
          const problem = findProblem(error)
          if (!problem) throw error
          late.set(change, problem)
        }
      }
      const problem = changes.map((change) => late.get(change)).find((each) => each !== undefined)
      if (problem) throw problem
    },
  }
}

/** Sets the status of changes with the same tenant, profile and status. */
async function setTogether(
  { db, clock }: ServiceDeps,
  changes: StatusChange[],
  deadline: Deadline,
): Promise<StatusOutcome[]> {
  const [first] = changes
  if (!first) return []
  const { tenantId, profile, status } = first
  const work = async (tx: Writer): Promise<StatusOutcome[]> => {
    const ids = [...new Set(changes.map(({ id }) => id))]
    const at = clock.now()
    const { changed, unknown, notRevocable, final } = await setStatuses(tx, tenantId, ids, { status, profile, at })
    const refused = new Map<string, StatusOutcome>([
      ...unknown.map((id) => [id, 'unknown'] as const),
      ...notRevocable.map((id) => [id, 'not revocable'] as const),
      ...final.map((id) => [id, 'final'] as const),
    ])
    const done = changes.filter(({ id }) => !refused.has(id))
    await appendToAudit(
      tx,
      done.map((change) => entryOf(change, changed)),
      at,
    )
    return changes.map(({ id }) => refused.get(id) ?? 'set')
  }
  const outcomes = await db.tx(work, { deadline })
  countStatusChanges(status, outcomes.filter((outcome) => outcome === 'set').length)
  return outcomes
}

/** The audit row is about the credential only if the change has changed its status. */
function entryOf({ tenantId, profile, id, status, by, changedByName }: StatusChange, changed: string[]): AuditEntry {
  const entry = auditEntry(by, tenantId, { id, ...auditData(profile, status) })
  return changed.includes(id) ? { ...entry, objects: { ids: [id], changedByName } } : entry
}

/** Returns the members that the operation of the profile has. */
function auditData(profile: StatusListKind, status: CredentialStatus) {
  return isCertifiedProfile(profile) ? { status } : { isRevoked: status === 'invalid' }
}
