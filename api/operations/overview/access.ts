import { allows, type Permission } from '../../../shared/access/permissions.ts'
import type { Role } from '../../../shared/access/roles.ts'
import type { Caller } from '../../access/subjects.ts'
import { operators } from '../../http/route.ts'

const issuing: readonly Role[] = ['admin', 'issuer', 'managed-issuer', 'viewer', 'auditor']
const trusting: readonly Role[] = ['admin', 'dts-provider', 'dts-consumer', 'viewer', 'auditor']

/** Viewers and auditors do not see the URLs of webhooks, which can have secrets in their paths. */
export const managersOfWebhooks = operators('admin', 'issuer', 'managed-issuer')
/** The roles that can read data of issuance, of ecosystems, or of either, with other operations. */
export const issuers = operators(...issuing)
export const readersOfEcosystems = operators(...trusting)
export const either = operators(...new Set([...issuing, ...trusting]))

/** Returns the items that the caller can read. */
export function visibleTo<Each>(caller: Caller, of: { issuing: readonly Each[]; trusting: readonly Each[] }): Each[] {
  const sees = (permission: Permission) => caller.roles.includes('viewer') || allows(caller, permission)
  return [...(sees('overview:read') ? of.issuing : []), ...(sees('ecosystem-overview:read') ? of.trusting : [])]
}
