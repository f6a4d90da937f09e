import { type AuditRow, auditCategory } from '../../../db/repos/operations/audit/audit.ts'
import type { ListedEvent } from '../../../db/repos/operations/search/event-pairs.ts'

export function presentEvent({ timestamp, clientId, walletClientId, managementUserId, ...event }: ListedEvent) {
  return {
    ...event,
    timestamp: timestamp.toISOString(),
    ...(clientId === null ? {} : { clientId }),
    ...(walletClientId === null ? {} : { walletClientId }),
    ...(managementUserId === null ? {} : { managementUserId }),
    metadata: {},
  }
}

/** Presents an audit event with its number and hashes, so that a client can verify the chain. */
export function presentAuditEvent(row: AuditRow) {
  const { timestamp, clientId, managementUserId, number, previousHash, hash, ...event } = row
  return {
    ...event,
    category: auditCategory,
    timestamp: timestamp.toISOString(),
    ...(clientId === null ? {} : { clientId }),
    ...(managementUserId === null ? {} : { managementUserId }),
    metadata: { number, previousHash, hash },
  }
}
