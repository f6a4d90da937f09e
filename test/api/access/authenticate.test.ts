import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authenticateWith } from '../../../api/access/authenticate.ts'
import { createCaches } from '../../../api/process/caches.ts'
import { insertSession } from '../../../db/repos/issuance/sessions/sessions.ts'
import { statesOfNew } from '../../../db/repos/issuance/users/user-states.ts'
import { createUserTerms } from '../../../db/repos/issuance/users/user-terms.ts'
import { insertUser } from '../../../db/repos/issuance/users/users.ts'
import { systemClock } from '../../../shared/clock.ts'
import { hashSecret, newId, newSecretOf } from '../../../shared/ids.ts'
import { createSecrets } from '../../../shared/secrets/secrets.ts'
import { type OpenDatabase, openNewDatabase } from '../../harness/database.ts'
import { dpopProof, jktOf, newDpopKey } from '../../wallets/dpop.ts'

// Tests which kind of caller each kind of route requires, on a database without a service.

let database: OpenDatabase
beforeAll(async () => {
  database = await openNewDatabase()
})
afterAll(() => database.drop())

const tenant = { id: newId(), issuer: 'https://university.example', host: 'university.example' }
const secrets = createSecrets([randomBytes(32)])

/** The tenant has no authorization server of its own. */
const authenticate = authenticateWith(async () => undefined)

async function authenticateAs(
  kind: string,
  headers: Record<string, string> = {},
  { profile = 'standard', hasTenant = true, ...access } = {},
) {
  const answered: Record<string, string> = {}
  const ctx = {
    ...{ headers, method: 'POST', path: '/v1/openid/credential', state: {} },
    set: (fields: Record<string, string>) => Object.assign(answered, fields),
  }
  const caches = createCaches()
  const deps = { db: database.db, clock: systemClock, caches, secrets, config: {} }
  const exchange = {
    tenant: hasTenant ? { ...tenant, profile } : undefined,
    rawBody: async () => Buffer.alloc(0),
    attribute: () => undefined,
  }
  const request = { kind, roles: ['admin'], ...access } as never
  const outcome = await authenticate(request, ctx as never, deps as never, exchange as never).catch(
    (error: unknown) => error,
  )
  return { outcome, answered }
}

/** A wallet's session with its access token, and a proof for the route of `authenticateAs`. */
async function newSession() {
  const key = await newDpopKey()
  const id = newId()
  const token = newSecretOf(id)
  const at = systemClock.now()
  const expiresAt = new Date(at.getTime() + 60_000)
  const content = { claims: { given_name: 'Ada' } }
  const terms = createUserTerms()
  await terms.prepare(statesOfNew(content))
  await database.db.tx(async (tx) => {
    const user = await insertUser(tx, tenant.id, content, at, terms)
    await insertSession(tx, {
      ...{
        id,
        tenantId: tenant.id,
        userId: user!.id,
        offerId: null,
        clientId: null,
        registrationId: null,
        viewId: null,
      },
      ...{ configurationIds: [], credentialIdentifiers: {}, tokenHash: hashSecret(token), authorizationId: null },
      ...{ dpopJkt: await jktOf(key), instanceJkt: null, exchangedHash: null, credentialsLeft: null, sentAt: null },
      ...{ traceparent: null, expiresAt, createdAt: at },
    })
  })
  const dpop = await dpopProof({ key, url: `${tenant.issuer}/v1/openid/credential`, accessToken: token })
  return { id, headers: { authorization: `DPoP ${token}`, dpop } }
}

test('a route for anyone ignores credentials', async () => {
  expect((await authenticateAs('anyone', { authorization: 'Bearer wrong' })).outcome).toEqual({})
})

test('a route for operators requires a management token', async () => {
  expect((await authenticateAs('operators')).outcome).toMatchObject({ problem: 'unauthorized' })
})

test('a request on a host without a tenant is unauthorized', async () => {
  for (const kind of ['operators', 'wallet']) {
    const { outcome } = await authenticateAs(kind, { authorization: 'Bearer any' }, { hasTenant: false })
    expect(outcome).toMatchObject({ problem: 'unauthorized' })
  }
})

test('a route for wallets requires an access token and loads claims only if the route needs them', async () => {
  expect((await authenticateAs('wallet')).outcome).toMatchObject({ problem: 'missing_token' })
  const withoutClaims = await newSession()
  const { outcome } = await authenticateAs('wallet', withoutClaims.headers)
  expect(outcome).toMatchObject({ holder: { sessionId: withoutClaims.id, knownClaims: undefined } })
  const withClaims = await newSession()
  expect((await authenticateAs('wallet', withClaims.headers, { withClaims: true } as never)).outcome).toMatchObject({
    holder: { sessionId: withClaims.id, knownClaims: { userClaims: { given_name: 'Ada' } } },
  })
})

test('a wallet of a haip tenant receives a nonce for its next proof, even if it is refused', async () => {
  const { answered } = await authenticateAs('wallet', {}, { profile: 'haip' })
  expect(answered).toEqual({ 'DPoP-Nonce': expect.stringMatching(/./) })
  expect((await authenticateAs('wallet')).answered).toEqual({})
})
