import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { auditEvents } from '../../../tables/operations/audit-events.ts'

type AuditRow = typeof auditEvents.$inferSelect

type Hashed = Omit<AuditRow, 'hash' | 'managementUserId'> & { hash?: string; managementUserId?: string | null }

/**
 * Returns the SHA-256, in hex, of the row's canonical JSON (RFC 8785), which includes the hash of the previous row.
 * `managementUserId` is included only if it is set, so that the hashes of older rows stay the same.
 */
export function hashOfAuditRow({ hash: _stored, managementUserId, ...row }: Hashed): string {
  const person = managementUserId ? { managementUserId } : {}
  const text = canonicalize({ ...row, ...person, timestamp: row.timestamp.toISOString() })
  if (text === undefined) throw new Error('The audit row cannot be written as JSON.')
  return hash('sha256', text, 'hex')
}
