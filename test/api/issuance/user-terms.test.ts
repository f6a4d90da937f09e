import { AsyncLocalStorage } from 'node:async_hooks'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../../db/client.ts'
import { termsOfClaims } from '../../../db/repos/issuance/users/claim-terms.ts'
import { userClaimTerms } from '../../../db/tables/issuance/user-claim-terms.ts'
import type { Claims } from '../../../db/tables/issuance/users.ts'
import { compactConfiguration } from '../../harness/factories.ts'
import { joinService, type SharedService } from '../../harness/harness.ts'

let service: SharedService
let configuration: string
beforeAll(async () => {
  service = await joinService()
  configuration = await compactConfiguration(service)
})
afterAll(() => service[Symbol.asyncDispose]())

const users = '/v1/users'

function persist(claims: Claims, userId?: string) {
  const body = { credentials: [configuration], claims, claimsToPersist: Object.keys(claims), ...(userId && { userId }) }
  return service.operator.post('/v1/openid/offers/pre-authorized', body)
}

async function storedTerms(userId: string): Promise<string[]> {
  const rows = await service.deps.db.read.select().from(userClaimTerms).where(eq(userClaimTerms.userId, userId))
  return rows.map(({ term }) => term).sort()
}

test('no index term is computed while a write transaction is open', async () => {
  const watched = watchTerms(service.deps.db)
  try {
    const { body: user } = await service.operator.post(users, { claims: { created: true, nested: { a: 1 } } })
    const path = `${users}/${user.id}`
    expect(await service.operator.put(path, { claims: { replaced: true } })).toMatchObject({ status: 200 })
    expect(await persist({ merged: true }, user.id)).toMatchObject({ status: 200 })
    expect(await persist({ forNewUser: true })).toMatchObject({ status: 200 })
    expect(await storedTerms(user.id)).toHaveLength(2)
    expect(await service.operator.delete(path)).toMatchObject({ status: 204 })
    expect(await storedTerms(user.id)).toEqual([])
  } finally {
    watched.end()
  }
  expect(watched.inside).toEqual([])
  expect(watched.outside.length).toBeGreaterThan(5)
})

test('concurrent replacements and merges of a user lose no claims', async () => {
  const { body: user } = await service.operator.post(users, { claims: { before: true } })
  const path = `${users}/${user.id}`
  const names = Array.from({ length: 8 }, (_, position) => `claim${position}`)
  const replaced = await Promise.all(names.map((name) => service.operator.put(path, { claims: { [name]: 1 } })))
  expect(replaced.map(({ status }) => status)).toEqual(names.map(() => 200))
  const [last] = Object.keys((await service.operator.get(path)).body.claims)
  expect(await storedTerms(user.id)).toEqual([...(await termsOfClaims({ [String(last)]: 1 }))].sort())

  const merged = await Promise.all(names.map((name) => persist({ [name]: 2 }, user.id)))
  expect(merged.map(({ status }) => status)).toEqual(names.map(() => 200))
  const { claims } = (await service.operator.get(path)).body
  expect(claims).toEqual(Object.fromEntries(names.map((name) => [name, 2])))
  expect(await storedTerms(user.id)).toEqual([...(await termsOfClaims(claims))].sort())
})

/** Records the terms that are computed inside and outside of the write transactions of a database. */
function watchTerms(db: Database) {
  const transaction = new AsyncLocalStorage<true>()
  const [inside, outside]: [string[], string[]] = [[], []]
  const { tx } = db
  const { hash } = crypto
  db.tx = (work, options) => tx((writer) => transaction.run(true, () => work(writer)), options)
  // Boundary: terms are hashes of texts.
  crypto.hash = ((algorithm: string, data: string, encoding: 'hex') => {
    if (String(data).startsWith('/"')) (transaction.getStore() ? inside : outside).push(data)
    return hash(algorithm, data, encoding)
  }) as typeof hash
  syncBuiltinESMExports()
  const end = () => {
    db.tx = tx
    crypto.hash = hash
    syncBuiltinESMExports()
  }
  return { inside, outside, end }
}
