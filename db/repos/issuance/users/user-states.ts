import type { Reader } from '../../../client.ts'
import type { Claims } from '../../../tables/issuance/users.ts'
import { changed, type IndexedState, isTooMany, merged, noSubject, type StateChange } from './user-terms.ts'
import { findUser } from './users.ts'

/** Returns the states that `insertUser` writes. */
export function statesOfNew({ claims, provider }: StateChange & { claims: Claims }): IndexedState[] {
  return isTooMany(claims) ? [] : [{ claims, ...noSubject, ...provider }]
}

/** Returns the states that `updateUser` reads and writes. */
export function statesOfChange(db: Reader, tenantId: string, id: string, change: StateChange): Promise<IndexedState[]> {
  return statesOf(db, tenantId, id, (before) => changed(before, change))
}

/** Returns the states that `persistClaims` reads and writes. */
export async function statesOfMerge(
  db: Reader,
  tenantId: string,
  userId: string,
  claims: Claims,
): Promise<IndexedState[]> {
  if (Object.keys(claims).length === 0) return []
  return statesOf(db, tenantId, userId, (before) => merged(before, claims))
}

/** Returns the state that `deleteUserRow` reads. */
export async function statesOfUser(db: Reader, tenantId: string, id: string): Promise<IndexedState[]> {
  const user = await findUser(db, tenantId, id)
  return user ? [user] : []
}

async function statesOf(
  db: Reader,
  tenantId: string,
  id: string,
  change: (before: IndexedState) => IndexedState,
): Promise<IndexedState[]> {
  const before = await findUser(db, tenantId, id)
  if (!before) return []
  const after = change(before)
  // The transaction refuses too many claims. Their terms are not computed.
  return isTooMany(after.claims, before.claims) ? [] : [before, after]
}
