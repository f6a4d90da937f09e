import { authorityChecks } from './check-authorities.ts'
import { statusListChecks } from './check-status-lists.ts'
import { trustedListChecks } from './check-trusted-lists.ts'
import type { Checks } from './published.ts'

/** The check of each kind of the registry of published documents. A kind without a check does not compile. */
export const checks: Checks = { ...statusListChecks, ...authorityChecks, ...trustedListChecks }
