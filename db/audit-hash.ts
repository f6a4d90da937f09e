import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { auditEvents } from './tables/operations/audit-events.ts'

type AuditRow = typeof auditEvents.$inferSelect

/** SHA-256, hex, over the row's canonical JSON (RFC 8785), which has the hash of the row before among its members. */
export function hashOfAuditRow({ hash: _stored, ...row }: Omit<AuditRow, 'hash'> & { hash?: string }): string {
  const text = canonicalize({ ...row, timestamp: row.timestamp.toISOString() })
  if (text === undefined) throw new Error('a row of the audit is no JSON')
  return hash('sha256', text, 'hex')
}
