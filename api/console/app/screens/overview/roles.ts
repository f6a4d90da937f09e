import type { Role } from '../../kit/session.ts'

/** The roles that may read issuance data and ecosystem data. Admins may read both. */
export const issuing: readonly Role[] = ['issuer', 'managed-issuer']
export const trusting: readonly Role[] = ['dts-provider', 'dts-consumer']
