import { type AuditRow, auditCategory } from '../../../db/repos/operations/audit.ts'
import type { EventRow } from '../../../db/repos/operations/events.ts'

export function presentEvent({ timestamp, clientId, walletClientId, managementUserId, ...event }: EventRow) {
  return {
    ...event,
    timestamp: timestamp.toISOString(),
    ...(clientId === null ? {} : { clientId }),
    ...(walletClientId === null ? {} : { walletClientId }),
    ...(managementUserId === null ? {} : { managementUserId }),
    metadata: {},
  }
}

/** With its place in the chain, so that a reader can check the chain from here. */
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
