import type { Role } from '../../../shared/roles.ts'
import { operators } from '../../http/route.ts'

const issuing: readonly Role[] = ['admin', 'issuer', 'managed-issuer']
const trusting: readonly Role[] = ['admin', 'dts-provider', 'dts-consumer']

/** Who may read what it is about, by its own operations: what issuance needs, what is in ecosystems, and some of both. */
export const issuers = operators(...issuing)
export const readersOfEcosystems = operators(...trusting)
export const either = operators(...new Set([...issuing, ...trusting]))

/** Of what is for one of the two, and for the other, that which the roles may see. */
export function visibleTo<Each>(
  roles: readonly Role[],
  of: { issuing: readonly Each[]; trusting: readonly Each[] },
): Each[] {
  const holdsOneOf = (needed: readonly Role[]) => roles.some((role) => needed.includes(role))
  return [...(holdsOneOf(issuing) ? of.issuing : []), ...(holdsOneOf(trusting) ? of.trusting : [])]
}
