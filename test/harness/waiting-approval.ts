import { randomUUID } from 'node:crypto'
import { digestOf, sealApprovalRequest } from '../../api/approvals/request.ts'
import type { Deps } from '../../api/deps.ts'
import { insertConsoleSession } from '../../db/repos/console/sessions.ts'
import { insertApproval } from '../../db/repos/operations/approvals.ts'
import { hourMs, plusMs } from '../../shared/clock.ts'

/**
 * Inserts a status change of one credential that a user of the console sent and that waits, and the session of this user. Returns the id of the
 * approval.
 */
export async function newWaitingApproval(
  { deps: { db, clock, secrets } }: { deps: Pick<Deps, 'db' | 'clock' | 'secrets'> },
  tenantId: string,
  askedByManagementUserId = 'ada',
): Promise<string> {
  const [id, at, operation] = [randomUUID(), clock.now(), 'setRevocationStatuses']
  const body = JSON.stringify({ credentials: [randomUUID()], isRevoked: true })
  const request = { params: {}, query: {}, body, name: 'Ada' }
  const undecided = { decidedByClientId: null, decidedByManagementUserId: null, decidedAt: null, sealedAnswer: null }
  const session = {
    ...{ id: randomUUID(), tenantId, kind: 'program' as const, clientId: null, clientSecretHash: null },
    ...{ secretHash: randomUUID(), providerHash: 'none', roles: ['issuer'] },
    ...{ managementUserId: askedByManagementUserId, managementUserName: 'Ada' },
    ...{ lastUsedAt: at, expiresAt: plusMs(at, 12 * hourMs), createdAt: at },
  }
  await db.tx(async (tx) => {
    await insertConsoleSession(tx, session)
    await insertApproval(tx, {
      ...{ id, tenantId, kind: 'statusChanges', operation, state: 'waiting', objects: 1, details: { isRevoked: true } },
      digest: digestOf(operation, request),
      sealedRequest: sealApprovalRequest(secrets, id, request),
      ...{ askedByClientId: null, askedByManagementUserId, ...undecided },
      ...{ createdAt: at, expiresAt: plusMs(at, 24 * hourMs) },
    })
  })
  return id
}
