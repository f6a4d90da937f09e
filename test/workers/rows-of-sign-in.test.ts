import { expect, test } from 'vitest'
import type { User } from '../../db/repos/issuance/users/users.ts'
import type { LinkSignIn } from '../../shared/domain/issuance/claim-links.ts'
import { newId } from '../../shared/ids.ts'
import { checkRows } from '../../workers/upkeep/bulk/check-rows.ts'

const [withSubject, without] = [newId(), newId()]
const userOf = (id: string, subjectId: string | null) => ({ id, claims: {}, subjectId, providerUrl: null }) as User
const users = new Map([
  [withSubject, userOf(withSubject, 'ada')],
  [without, userOf(without, null)],
])
const columns = { claims: null, externalId: 'number', userId: 'user' }
const email = { column: 'email', path: ['email'] }

async function codesOf(signIn: LinkSignIn | null) {
  const conditions = { now: new Date(), authorities: new Map() }
  const rules = {
    mode: 'links' as const,
    signIn,
    configurations: [],
    columns,
    claimColumns: [email],
    users,
    conditions,
  }
  const values = (user: string) => ({ number: '1', user, email: 'a@example.org' })
  const rows = await checkRows(rules, [
    { number: 1, values: values(withSubject) },
    { number: 2, values: values(without) },
  ])
  return rows.map(({ fault }) => fault && [fault.column, fault.code])
}

test('a row for a user who cannot sign in is wrong if this user must sign in', async () => {
  expect(await codesOf({})).toEqual([undefined, ['user', 'user_without_sign_in']])
  expect(await codesOf({ claim: 'email', rowClaim: 'claims.email' })).toEqual([undefined, undefined])
  expect(await codesOf(null)).toEqual([undefined, undefined])
})
