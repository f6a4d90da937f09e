import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { authenticateOperator } from '../../../api/access/management.ts'
import { operators } from '../../../api/http/route.ts'
import { createCaches } from '../../../api/process/caches.ts'
import { insertKeys, tenantOwner } from '../../../db/repos/identifiers/keys.ts'
import { deleteClient, endClientTokens, insertClient } from '../../../db/repos/tenancy/clients.ts'
import { type Role, rightsOf } from '../../../shared/access/roles.ts'
import { newId } from '../../../shared/ids.ts'
import { createKeyring } from '../../../workers/signing/keys/keyring.ts'
import { signJwt } from '../../../workers/signing/sign-jwt.ts'
import { type OpenDatabase, openNewDatabase } from '../../harness/database.ts'

// Tests tokens that no service signs. test/api/tenancy/management-token.test.ts tests tokens forged without the key.

let database: OpenDatabase
beforeEach(async () => {
  database = await openNewDatabase()
})
afterEach(() => database.drop())

const at = new Date('2026-06-01T12:00:00Z')
const seconds = at.getTime() / 1000

/** A tenant with a key and a client, and a function that authenticates tokens. */
async function newTenant(roles: Role[] = ['issuer']) {
  const { db } = database
  const tenant = { id: newId(), baseUrl: 'https://university.example', host: 'university.example' }
  const keyring = createKeyring([randomBytes(32)])
  const owned = { tenantId: tenant.id, owner: tenantOwner, algorithm: 'Ed25519' } as const
  const [key, otherKey] = [
    keyring.newKey({ ...owned, purpose: 'token' }, at),
    keyring.newKey({ ...owned, purpose: 'did' }, at),
  ]
  const { client } = await db.tx(async (tx) => {
    await insertKeys(tx, [key, otherKey])
    return insertClient(tx, tenant.id, { name: 'Client', roles }, at)
  })
  let now = at
  let keysRead = 0
  const read = new Proxy(db.read, {
    get: (target, name) => {
      if (name === 'select') keysRead++
      return Reflect.get(target, name)
    },
  })
  const caches = createCaches()
  const deps = { db: { ...db, read }, caches, clock: { now: () => now } } as never
  const claims = { iss: tenant.baseUrl, aud: tenant.baseUrl, sub: client.id, exp: seconds + 60 }
  const tokenOf = async (change: object = {}, typ = 'at+jwt', by = key) =>
    signJwt(await keyring.openSigner(by), typ, { ...claims, ...change })
  const state: Record<string, unknown> = {}
  const authenticate = (authorization: string | undefined, needed: Role[] = ['admin', 'issuer']) =>
    authenticateOperator(deps, tenant as never, { headers: { authorization }, state } as never, operators(...needed))
  return {
    ...{ client, tokenOf, authenticate, state, otherKey },
    keysRead: () => keysRead,
    advance: (ms: number) => {
      now = new Date(now.getTime() + ms)
    },
    deleteClient: () => db.tx((tx) => deleteClient(tx, tenant.id, client.id)),
    endTokens: () => db.tx((tx) => endClientTokens(tx, tenant.id, client.id)),
  }
}

const wrongToken = { problem: 'wrong_management_token', isWrongSecret: true }

test('a token returns its client with roles, and the request log names the client', async () => {
  const { client, tokenOf, authenticate, state } = await newTenant()
  for (const scheme of ['Bearer ', 'bearer ', 'BEARER   '])
    expect(await authenticate(scheme + (await tokenOf()))).toEqual({
      ...{ clientId: client.id, name: 'Client', token: { keyId: expect.any(String), generation: 0 } },
      ...rightsOf(['issuer']),
    })
  expect(state).toEqual({ clientId: client.id, managementUserId: undefined })
})

test.each([
  ['one of the required roles is enough', ['issuer', 'verifier'], true],
  ['another role is not enough', ['verifier'], false],
  ['a client without a role is refused', [], false],
] as [string, Role[], boolean][])('%s', async (_name, roles, isEnough) => {
  const { tokenOf, authenticate } = await newTenant(roles)
  const outcome = authenticate(`Bearer ${await tokenOf()}`)
  if (isEnough) return expect(await outcome).toMatchObject({ roles })
  await expect(outcome).rejects.toMatchObject({
    problem: 'forbidden',
    message: `The client needs one of the roles admin, issuer. Roles of the client: ${roles.join(', ') || 'none'}.`,
  })
})

test('a request without a token or with another scheme is unauthorized, and a secret with another scheme counts as wrong', async () => {
  const { tokenOf, authenticate } = await newTenant()
  const nothing = await authenticate(undefined).catch((error: unknown) => error)
  expect(nothing).toMatchObject({ problem: 'unauthorized' })
  expect(nothing).not.toMatchObject({ isWrongSecret: true })
  for (const scheme of ['Basic', 'Bearers', 'A Bearer'])
    await expect(authenticate(`${scheme} ${await tokenOf()}`)).rejects.toMatchObject({
      problem: 'unauthorized',
      isWrongSecret: true,
    })
  for (const wrong of ['Bearer', 'Bearer a.b', `Bearer ${await tokenOf()}x y`, `Bearer ${await tokenOf()}.c`])
    await expect(authenticate(wrong)).rejects.toMatchObject(wrongToken)
})

test.each([
  ['another issuer', { iss: 'https://other.example' }],
  ['another audience', { aud: 'https://other.example' }],
  ['no issuer', { iss: undefined }],
  ['no audience', { aud: undefined }],
])('a token with %s is wrong', async (_name, change) => {
  const { tokenOf, authenticate } = await newTenant()
  await expect(authenticate(`Bearer ${await tokenOf(change)}`)).rejects.toMatchObject(wrongToken)
})

test('a token of another type or signed with a key for another purpose is wrong', async () => {
  const { tokenOf, authenticate, otherKey } = await newTenant()
  await expect(authenticate(`Bearer ${await tokenOf({}, 'JWT')}`)).rejects.toMatchObject(wrongToken)
  await expect(authenticate(`Bearer ${await tokenOf({}, 'at+jwt', otherKey)}`)).rejects.toMatchObject(wrongToken)
})

test.each([[{ sub: undefined }], [{ exp: undefined }]])('a token with %o is wrong', async (change) => {
  const { tokenOf, authenticate } = await newTenant()
  await expect(authenticate(`Bearer ${await tokenOf(change)}`)).rejects.toMatchObject({
    problem: 'wrong_management_token',
  })
})

test('a token expires in its last second, even if it was verified before', async () => {
  const { tokenOf, authenticate, advance } = await newTenant()
  const [seen, unseen] = [await tokenOf(), await tokenOf({ jti: 'another' })]
  advance(59_999)
  await authenticate(`Bearer ${seen}`)
  advance(1)
  for (const token of [seen, unseen]) {
    const refused = await authenticate(`Bearer ${token}`).catch((error: unknown) => error)
    expect(refused).toMatchObject({
      problem: 'wrong_management_token',
      message: expect.stringContaining('has expired'),
    })
    expect(refused).not.toMatchObject({ isWrongSecret: true })
  }
})

test('the signature of a token is verified once, and its client is read for each request', async () => {
  const { tokenOf, authenticate, keysRead, deleteClient } = await newTenant()
  const token = await tokenOf()
  await authenticate(`Bearer ${token}`)
  const before = keysRead()
  for (let n = 0; n < 3; n++) await authenticate(`Bearer ${token}`)
  expect(keysRead()).toBe(before)
  await deleteClient()
  await expect(authenticate(`Bearer ${token}`)).rejects.toMatchObject({
    problem: 'wrong_management_token',
    message: 'The client or the key of the token was deleted',
  })
})

test('a token ends with the tokens of its client, and a token with the new number does not', async () => {
  const { tokenOf, authenticate, endTokens } = await newTenant()
  const tokens = [await tokenOf(), await tokenOf({ token_generation: 0 })]
  for (const token of tokens) await authenticate(`Bearer ${token}`)
  await endTokens()
  for (const token of [...tokens, await tokenOf({ token_generation: 2 }), await tokenOf({ token_generation: 'x' })])
    await expect(authenticate(`Bearer ${token}`)).rejects.toMatchObject({
      problem: 'wrong_management_token',
      message: expect.stringContaining('were ended'),
    })
  await authenticate(`Bearer ${await tokenOf({ token_generation: 1 })}`)
})

test.each([['a b'], ['x'.repeat(101)], [''], [7], [null]])('a key id of %o is not looked up', async (kid) => {
  const { authenticate, keysRead } = await newTenant()
  const header = Buffer.from(JSON.stringify({ alg: 'EdDSA', typ: 'at+jwt', kid })).toString('base64url')
  await expect(authenticate(`Bearer ${header}.e30.AAAA`)).rejects.toMatchObject(wrongToken)
  expect(keysRead()).toBe(typeof kid === 'string' ? 0 : 1)
})

test('a database failure does not make a token wrong', async () => {
  const { tokenOf, authenticate } = await newTenant()
  await database.db.close()
  const error = await authenticate(`Bearer ${await tokenOf()}`).catch((thrown: unknown) => thrown)
  expect(error).not.toMatchObject({ problem: 'wrong_management_token' })
  database = await openNewDatabase()
})
