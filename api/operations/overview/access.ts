import type { Role } from '../../../shared/access/roles.ts'
import { operators } from '../../http/route.ts'

const issuing: readonly Role[] = ['admin', 'issuer', 'managed-issuer', 'viewer', 'auditor']
const trusting: readonly Role[] = ['admin', 'dts-provider', 'dts-consumer', 'viewer', 'auditor']

/** Viewers and auditors do not see the URLs of webhooks, which can have secrets in their paths. */
export const managersOfWebhooks = operators('admin', 'issuer', 'managed-issuer')
/** The roles that can read data of issuance, of ecosystems, or of either, with other operations. */
export const issuers = operators(...issuing)
export const readersOfEcosystems = operators(...trusting)
export const either = operators(...new Set([...issuing, ...trusting]))

/** Returns the items that the roles can read. */
export function visibleTo<Each>(
  roles: readonly Role[],
  of: { issuing: readonly Each[]; trusting: readonly Each[] },
): Each[] {
  const holdsOneOf = (needed: readonly Role[]) => roles.some((role) => needed.includes(role))
  return [...(holdsOneOf(issuing) ? of.issuing : []), ...(holdsOneOf(trusting) ? of.trusting : [])]
}
