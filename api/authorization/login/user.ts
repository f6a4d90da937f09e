import type { AuthenticationProviderRow } from '../../../db/repos/authentication-providers.ts'
import { findUserBySubject, insertUser, persistClaims } from '../../../db/repos/users.ts'
import type { Claims } from '../../../db/tables/users.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'

/** The user who signed in, found or made by provider and subject, with the claims that the provider's row says to keep. */
export async function userOf(
  deps: Deps,
  tenant: Tenant,
  { id: providerId, claimsToPersist }: AuthenticationProviderRow,
  claims: Claims & { sub: string },
): Promise<string> {
  const subject = { providerId, subjectId: claims.sub }
  const kept = Object.fromEntries(
    claimsToPersist.filter((name) => Object.hasOwn(claims, name)).map((name) => [name, claims[name]]),
  )
  return deps.db.tx(async (tx) => {
    const made = await insertUser(tx, tenant.id, { claims: kept, provider: subject }, deps.clock.now())
    if (made) return made.id
    const id = await findUserBySubject(tx, tenant.id, subject)
    if (id === undefined) throw new Error('a user that cannot be made twice is there')
    await persistClaims(tx, tenant.id, id, kept)
    return id
  })
}
