import type { Database, Writer } from '../../../db/client.ts'
import { appendToAudit } from '../../../db/repos/operations/audit.ts'
import { auditEntry, type ChangedBy } from '../../../db/repos/operations/audited.ts'
import { setStatuses } from '../../../db/repos/status/entries.ts'
import type { CredentialStatus } from '../../../db/tables/issuance/credentials.ts'
import type { StatusListKind } from '../../../db/tables/status/lists.ts'
import type { Clock } from '../../../shared/clock.ts'
import { type Deadline, noDeadline } from '../../../shared/deadline.ts'
import { findProblem, Problem } from '../../../shared/errors.ts'
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

/**
 * Sets the status of a credential, and tells the audit of it: both are committed when it returns. Throws `service_unavailable` if
 * the change cannot be committed before the deadline. The change is then not written.
 */
export type SetStatus = (change: StatusChange, deadline?: Deadline) => Promise<StatusOutcome>

interface PendingChange extends StatusChange {
  deadline: Deadline
}

/** So many are some 20 ms of a database; one that stands still is waited for as long as for a connection to it. */
const limits = { maxItems: 100, deadlineMs: 5_000 }

/**
 * Changes of one tenant's credentials that come at once are made in one transaction, with a row of the audit for each: the
 * head of the audit is locked until a transaction is committed, so that one by one they would wait for as many commits.
 */
export function createSetStatus(deps: { db: Database; clock: Clock }): SetStatus {
  const together = createBatcher<PendingChange, StatusOutcome | Problem>(limits, (changes) => setInTime(deps, changes))
  return async (change, deadline = noDeadline) => {
    const line = [change.tenantId, change.profile, change.status].join(' ')
    const outcome = await together(line, { ...change, deadline })
    if (outcome instanceof Problem) throw outcome
    return outcome
  }
}

/** Sets the changes whose deadlines leave time for the commit. Returns the problem of each other change, which is not written. */
async function setInTime(
  deps: { db: Database; clock: Clock },
  changes: PendingChange[],
): Promise<(StatusOutcome | Problem)[]> {
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

/** All of one tenant and profile, and to the same status. */
async function setTogether(
  { db, clock }: { db: Database; clock: Clock },
  changes: StatusChange[],
  deadline: Deadline,
): Promise<StatusOutcome[]> {
  const [first] = changes
  if (!first) return []
  const { tenantId, profile, status } = first
  const work = async (tx: Writer): Promise<StatusOutcome[]> => {
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
  }
  const outcomes = await db.tx(work, { deadline })
  countStatusChanges(status, outcomes.filter((outcome) => outcome === 'set').length)
  return outcomes
}

/** As the operation of the profile has it. */
function told(profile: StatusListKind, status: CredentialStatus) {
  return profile === 'mobile' ? { status } : { isRevoked: status === 'invalid' }
}
