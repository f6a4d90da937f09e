import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { auditEvents } from '../../tables/operations/audit-events.ts'

type AuditRow = typeof auditEvents.$inferSelect

type Hashed = Omit<AuditRow, 'hash' | 'managementUserId'> & { hash?: string; managementUserId?: string | null }

/**
 * SHA-256, hex, over the row's canonical JSON (RFC 8785), which has the hash of the row before among its members. A person is one
 * where there is one: rows that are older than that are as they were.
 */
export function hashOfAuditRow({ hash: _stored, managementUserId, ...row }: Hashed): string {
  const person = managementUserId ? { managementUserId } : {}
  const text = canonicalize({ ...row, ...person, timestamp: row.timestamp.toISOString() })
  if (text === undefined) throw new Error('a row of the audit is no JSON')
  return hash('sha256', text, 'hex')
}
