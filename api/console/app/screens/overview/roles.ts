import type { Role } from '../../kit/session.ts'

/** Who may read what issuance needs, and who what is in ecosystems; admins may both. */
export const issuing: readonly Role[] = ['issuer', 'managed-issuer']
export const trusting: readonly Role[] = ['dts-provider', 'dts-consumer']
