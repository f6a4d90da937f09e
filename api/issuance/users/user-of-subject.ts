import type { Reader, Writer } from '../../../db/client.ts'
import { statesOfMerge, statesOfNew } from '../../../db/repos/issuance/users/user-states.ts'
import type { UserTerms } from '../../../db/repos/issuance/users/user-terms.ts'
import {
  findUserBySubject,
  insertUser,
  type ProviderSubject,
  persistClaims,
} from '../../../db/repos/issuance/users/users.ts'
import type { Claims } from '../../../db/tables/issuance/users.ts'

/** A subject of a sign-in provider or of an authorization server, with the claims to store for its user. */
export interface SubjectContent {
  claims: Claims
  provider: ProviderSubject
}

/** Returns the states of the search index that `storeUserOfSubject` needs. Call it before the transaction. */
export async function statesOfSubject(db: Reader, tenantId: string, content: SubjectContent) {
  const user = await findUserBySubject(db, tenantId, content.provider)
  return user === undefined ? statesOfNew(content) : statesOfMerge(db, tenantId, user, content.claims)
}

/**
 * Finds or creates the user of a subject, and stores its claims. Hold the row of the provider before. Returns undefined if the user is
 * deleted meanwhile. Throws `TooManyClaims`.
 */
export async function storeUserOfSubject(
  tx: Writer,
  tenantId: string,
  content: SubjectContent,
  at: Date,
  terms: UserTerms,
): Promise<string | undefined> {
  const made = await insertUser(tx, tenantId, content, at, terms)
  if (made) return made.id
  const id = await findUserBySubject(tx, tenantId, content.provider)
  return id !== undefined && (await persistClaims(tx, tenantId, id, content.claims, terms)) ? id : undefined
}
