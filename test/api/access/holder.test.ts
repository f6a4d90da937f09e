import { afterAll, beforeAll, expect, test } from 'vitest'
import { authenticateHolder } from '../../../api/access/holder.ts'
import type { SessionRow } from '../../../db/repos/issuance/sessions/sessions.ts'
import { systemClock } from '../../../shared/clock.ts'
import { hashSecret, idOfSecret, newSecretOf } from '../../../shared/ids.ts'
import { bothChallenges, dpopChallenge } from '../../harness/challenges.ts'
import { type OpenDatabase, openNewDatabase } from '../../harness/database.ts'
import { dpopProof, jktOf, newDpopKey } from '../../wallets/dpop.ts'

// Tests access tokens of wallets and their sessions. test/flows/dpop.test.ts tests them in a service.

let database: OpenDatabase
beforeAll(async () => {
  database = await openNewDatabase()
})
afterAll(() => database.drop())

const key = await newDpopKey()
const baseUrl = 'https://university.example'
const tenant = { id: 'tenant', profile: 'standard', issuer: baseUrl } as never
const url = `${baseUrl}/v1/openid/credential`
const sessionId = '0198a0a0-0000-7000-8000-000000000001'
const token = newSecretOf(sessionId)

const bearer = {
  id: sessionId,
  userId: 'user',
  offerId: 'offer',
  clientId: 'wallet',
  configurationIds: ['configuration'],
  credentialIdentifiers: { one: 'configuration' },
  tokenHash: hashSecret(token),
  authorizationId: null,
  dpopJkt: null,
  viewId: null,
  credentialsLeft: null,
  expiresAt: new Date('2026-06-01T12:00:00Z'),
} as unknown as SessionRow
const bound = { ...bearer, dpopJkt: await jktOf(key) }

interface Attempt {
  session?: SessionRow | undefined
  now?: Date
  dpop?: string
  of?: typeof tenant
}

/** The tenant has no authorization server of its own. */
const findExternal = async () => undefined

/** Authenticates against a stored session. Returns the outcome and the names for events. */
async function authenticate(
  authorization: string | undefined,
  { session = bearer, now = new Date(0), dpop, of = tenant }: Attempt = {},
) {
  const named: unknown[] = []
  const request = {
    headers: { ...(authorization !== undefined && { authorization }), ...(dpop && { dpop }) },
    method: 'POST',
    url,
    rawBody: async () => Buffer.alloc(0),
    about: (...names: unknown[]) => named.push(names),
  }
  const deps = { db: database.db, clock: dpop ? systemClock : { now: () => now } } as never
  const find = async (_db: unknown, tenantId: string, id: string) =>
    tenantId === 'tenant' && id === idOfSecret(token) ? session : undefined
  const outcome = await authenticateHolder(deps, of, request, { find, findExternal }).catch((error: unknown) => error)
  return { outcome, named }
}

const proofFor = (accessToken: string, by = key) => dpopProof({ key: by, url, accessToken })
const later = new Date('2100-01-01T00:00:00Z')
const challenge = (error: string) => ({
  'WWW-Authenticate': expect.stringMatching(new RegExp(`^DPoP error="${error}"`)),
})

test('a bearer token returns the wallet and its permitted credentials', async () => {
  for (const scheme of ['Bearer ', 'bearer ', 'BEARER   ']) {
    const { outcome, named } = await authenticate(scheme + token)
    const { id, tokenHash, dpopJkt, expiresAt, viewId, ...rest } = bearer
    expect(outcome).toEqual({ ...rest, sessionId, knownClaims: undefined })
    expect(named).toEqual([['offer', { userId: 'user', sessionId }]])
  }
})

test('the holder keeps the claims that were loaded with the session', async () => {
  const session = { ...bearer, userClaims: { given_name: 'Ada' } }
  expect((await authenticate(`Bearer ${token}`, { session })).outcome).toMatchObject({ knownClaims: session })
})

test('events of an authorization do not name the user', async () => {
  const { named } = await authenticate(`Bearer ${token}`, { session: { ...bearer, authorizationId: 'authorization' } })
  expect(named).toEqual([['offer', { userId: undefined, sessionId }]])
})

test('a request without a token or with an unknown scheme receives a challenge without an error code', async () => {
  const without = await authenticate(undefined)
  expect(without.outcome).toMatchObject({ problem: 'missing_token', isWrongSecret: false })
  for (const other of [`Basic ${token}`, token, `x Bearer ${token}`, `Bearers ${token}`])
    expect((await authenticate(other)).outcome).toMatchObject({ problem: 'missing_token', isWrongSecret: true })
})

test.each([
  ['Bearer'],
  ['DPoP'],
  ['Bearer '],
  [`Bearer ${token} x`],
  [`Bearer ${token}"`],
  [`Bearer ="${token}`],
  [`DPoP a b`],
  [`Bearer ${token.slice(0, -1)}`],
  [`Bearer ${newSecretOf(sessionId)}`],
  ['Bearer unknown'],
])('%s is a wrong token', async (authorization) => {
  const { outcome, named } = await authenticate(authorization)
  expect(outcome).toMatchObject({ problem: 'invalid_token', isWrongSecret: true })
  expect(named).toEqual([])
})

test('the challenge is of the scheme that the wallet must use', async () => {
  for (const wrong of ['DPoP', 'dpop a b', 'DPoP unknown'])
    expect((await authenticate(wrong)).outcome).toMatchObject({ headers: challenge('invalid_token') })
  const expired = await authenticate(`DPoP ${token}`, { session: bound, now: later })
  expect(expired.outcome).toMatchObject({ headers: challenge('invalid_token') })
  for (const other of [undefined, 'Bearer unknown', `x dpop ${token}`]) {
    const challenges = bothChallenges({ baseUrl }, other === 'Bearer unknown')
    expect((await authenticate(other)).outcome).toMatchObject({ headers: { 'WWW-Authenticate': challenges } })
  }
  const haip = { of: { ...(tenant as object), profile: 'haip' } as never }
  expect((await authenticate(undefined, haip)).outcome).toMatchObject({
    headers: { 'WWW-Authenticate': dpopChallenge({ baseUrl }) },
  })
  expect((await authenticate('Bearer unknown', haip)).outcome).toMatchObject({ headers: challenge('invalid_token') })
})

test('padding is part of a token', async () => {
  const padded = `${token}==`
  const session = { ...bearer, tokenHash: hashSecret(padded) }
  const request = { headers: { authorization: `Bearer ${padded}` }, method: 'GET', url, about: () => undefined }
  const deps = { db: database.db, clock: { now: () => new Date(0) } } as never
  const holder = await authenticateHolder(deps, tenant, request as never, {
    find: async () => session,
    findExternal,
  })
  expect(holder).toMatchObject({ sessionId })
})

test('a token ends at its expiry, and the expired token names its offer and does not count as a wrong secret', async () => {
  const before = new Date(bearer.expiresAt.getTime() - 1)
  expect((await authenticate(`Bearer ${token}`, { now: before })).outcome).toMatchObject({ sessionId })
  const { outcome, named } = await authenticate(`Bearer ${token}`, { now: bearer.expiresAt })
  expect(outcome).toMatchObject({ problem: 'invalid_token', reason: 'The access token has expired' })
  expect(outcome).not.toMatchObject({ isWrongSecret: true })
  expect(named).toHaveLength(1)
})

test('a bound token needs a proof of its key', async () => {
  const session = { ...bound, expiresAt: later }
  const withProof = await authenticate(`DPoP ${token}`, { session, dpop: await proofFor(token) })
  expect(withProof.outcome).toMatchObject({ sessionId })
  const without = await authenticate(`dpop ${token}`, { session })
  expect(without.outcome).toMatchObject({
    problem: 'invalid_dpop_proof_at_resource',
    headers: challenge('invalid_dpop_proof'),
  })
  const byAnother = await authenticate(`DPoP ${token}`, { session, dpop: await proofFor(token, await newDpopKey()) })
  expect(byAnother.outcome).toMatchObject({
    problem: 'invalid_token',
    headers: challenge('invalid_token'),
    reason: 'The DPoP proof uses a different key than the access token',
  })
  const forAnother = await authenticate(`DPoP ${token}`, { session, dpop: await proofFor('another') })
  expect(forAnother.outcome).toMatchObject({ problem: 'invalid_dpop_proof_at_resource' })
})

test('a bound token is refused as a bearer token, and a bearer token is refused as a bound token', async () => {
  const asBearer = await authenticate(`Bearer ${token}`, {
    session: { ...bound, expiresAt: later },
    dpop: await proofFor(token),
  })
  expect(asBearer.outcome).toMatchObject({
    problem: 'invalid_token',
    headers: challenge('invalid_token'),
    reason: 'A DPoP-bound token was sent as a bearer token',
  })
  const session = { ...bearer, expiresAt: later }
  const asDpop = await authenticate(`DPoP ${token}`, { session, dpop: await proofFor(token) })
  expect(asDpop.outcome).toMatchObject({
    problem: 'invalid_token',
    headers: challenge('invalid_token'),
    reason: 'A bearer token was sent as a DPoP token',
  })
})
