import type { Role } from '../../kit/session.ts'

/** The roles that may read the overview of issuance and of ecosystems. Admins may read both. */
export const issuing: readonly Role[] = ['issuer', 'managed-issuer', 'viewer', 'auditor']
export const trusting: readonly Role[] = ['dts-provider', 'dts-consumer', 'viewer', 'auditor']
