import { holdShared } from '../../../../db/hold.ts'
import type { AuthenticationProviderRow } from '../../../../db/repos/issuance/sign-in-providers.ts'
import { withUserTerms } from '../../../../db/repos/issuance/users/user-terms.ts'
import { authenticationProviders } from '../../../../db/tables/issuance/sign-in-providers.ts'
import type { Claims } from '../../../../db/tables/issuance/users.ts'
import { Problem } from '../../../../shared/errors/errors.ts'
import type { Tenant } from '../../../access/subjects.ts'
import type { Deps } from '../../../deps.ts'
import { issuerOf } from '../../sign-in-provider/issuer.ts'
import { statesOfSubject, storeUserOfSubject } from '../../users/user-of-subject.ts'

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
  const { id: tenantId } = tenant
  const issuer = issuerOf(provider)
  const subject = { providerId, issuer, subjectId: claims.sub }
  const persisted = Object.fromEntries(
    claimsToPersist.filter((name) => Object.hasOwn(claims, name)).map((name) => [name, claims[name]]),
  )
  const content = { claims: persisted, provider: subject }
  const states = await statesOfSubject(deps.db.read, tenantId, content)
  return withUserTerms(states, (terms) =>
    deps.db.tx(async (tx) => {
      const held = await holdShared(tx, authenticationProviders, tenantId, providerId)
      if (!held || issuerOf(held) !== issuer) throw new Problem('sign_in_expired')
      const id = await storeUserOfSubject(tx, tenantId, content, deps.clock.now(), terms)
      // A new sign-in creates a new user.
      if (id === undefined) throw new Problem('sign_in_expired')
      return id
    }),
  )
}
