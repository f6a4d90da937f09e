import { holdShared } from '../../../../db/hold.ts'
import type { AuthenticationProviderRow } from '../../../../db/repos/issuance/sign-in-providers.ts'
import { statesOfMerge, statesOfNew } from '../../../../db/repos/issuance/users/user-states.ts'
import { withUserTerms } from '../../../../db/repos/issuance/users/user-terms.ts'
import { findUserBySubject, insertUser, persistClaims } from '../../../../db/repos/issuance/users/users.ts'
import { authenticationProviders } from '../../../../db/tables/issuance/sign-in-providers.ts'
import type { Claims } from '../../../../db/tables/issuance/users.ts'
import { Problem } from '../../../../shared/errors/errors.ts'
import type { Tenant } from '../../../access/subjects.ts'
import type { Deps } from '../../../deps.ts'
import { issuerOf } from '../../sign-in-provider/issuer.ts'

/**
 * Returns the id of the user who signed in, found or created by issuer and subject. Stores the claims that the
 * provider's row lists. Throws `sign_in_expired` if the provider was deleted or its issuer has changed.
 */
export async function userOf(
  deps: Deps,
  tenant: Tenant,
  provider: AuthenticationProviderRow,
  claims: Claims & { sub: string },
): Promise<string> {
  const { id: providerId, claimsToPersist } = provider
  const issuer = issuerOf(provider)
  const subject = { providerId, issuer, subjectId: claims.sub }
  const persisted = Object.fromEntries(
    claimsToPersist.filter((name) => Object.hasOwn(claims, name)).map((name) => [name, claims[name]]),
  )
  const content = { claims: persisted, provider: subject }
  const user = await findUserBySubject(deps.db.read, tenant.id, subject)
  const states =
    user === undefined ? statesOfNew(content) : await statesOfMerge(deps.db.read, tenant.id, user, persisted)
  return withUserTerms(states, (terms) =>
    deps.db.tx(async (tx) => {
      const held = await holdShared(tx, authenticationProviders, tenant.id, providerId)
      if (!held || issuerOf(held) !== issuer) throw new Problem('sign_in_expired')
      const made = await insertUser(tx, tenant.id, content, deps.clock.now(), terms)
      if (made) return made.id
      const id = await findUserBySubject(tx, tenant.id, subject)
      if (id !== undefined && (await persistClaims(tx, tenant.id, id, persisted, terms))) return id
      // The user was deleted between the two queries. A new sign-in creates a new user.
      throw new Problem('sign_in_expired')
    }),
  )
}
