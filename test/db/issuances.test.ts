import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database, Writer } from '../../db/client.ts'
import { dialect } from '../../db/columns.ts'
import {
  claimSession,
  finishIssuance,
  insertAbandoned,
  insertCredentials,
  insertIssued,
  insertRequested,
  refuseIssuances,
} from '../../db/repos/issuance/issuances.ts'
import { claimOffer } from '../../db/repos/issuance/offers/offers.ts'
import { findSession, takeCredentials } from '../../db/repos/issuance/sessions/sessions.ts'
import { createUserTerms } from '../../db/repos/issuance/users/user-terms.ts'
import {
  findDelivery,
  insertDeliveries,
  newDelivery,
  recordAttempt,
} from '../../db/repos/operations/webhooks/deliveries.ts'
import { insertWebhook } from '../../db/repos/operations/webhooks/webhooks.ts'
import { eraseUser } from '../../db/retention/erasure.ts'
import { authorizations } from '../../db/tables/issuance/authorizations.ts'
import { credentials } from '../../db/tables/issuance/credentials.ts'
import { issuances } from '../../db/tables/issuance/issuances.ts'
import { type OfferState, offers } from '../../db/tables/issuance/offers.ts'
import { sessionClaims } from '../../db/tables/issuance/session-claims.ts'
import { sessions } from '../../db/tables/issuance/sessions.ts'
import { users } from '../../db/tables/issuance/users.ts'
import { oauthClients } from '../../db/tables/issuance/wallets.ts'
import { plusMs } from '../../shared/clock.ts'
import { derivedOrderedId } from '../../shared/ids.ts'
import { openNewDatabase } from '../harness/database.ts'
import { eventually } from '../harness/harness.ts'
import { waitingForLocks } from '../harness/locks.ts'

const at = new Date('2025-06-30T23:59:59.987Z')
const tenantId = 't'
const jwk = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' } as const

/** The users of these tests have no claims. */
const noTerms = createUserTerms()

let db: Database
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ db, drop } = await openNewDatabase())
})
afterAll(() => drop())

/** Creates a user with a session of an offer. */
async function newSession(tx?: Writer) {
  const [userId, sessionId, offerId] = [randomUUID(), randomUUID(), randomUUID()]
  const write = async (tx: Writer) => {
    await tx.insert(users).values({ id: userId, tenantId, claims: {}, createdAt: at })
    const offer = {
      id: offerId,
      tenantId,
      userId,
      state: 'spent' as const,
      configurationIds: [],
      claims: {},
      codeHash: '',
    }
    await tx.insert(offers).values({ ...offer, wrongTransactionCodes: 0, expiresAt: at, createdAt: at })
    const session = { id: sessionId, tenantId, userId, offerId, configurationIds: [], credentialIdentifiers: {} }
    await tx.insert(sessions).values({ ...session, tokenHash: '', expiresAt: plusMs(at, 1), createdAt: at })
  }
  await (tx ? write(tx) : db.tx(write))
  const id = randomUUID()
  const own = { tenantId, sessionId, userId, offerId, configurationId: 'c' }
  const issuance = {
    ...own,
    id,
    authorizationId: null,
    claims: { given_name: 'Ada' },
    validity: null,
    holderKeys: [{ jwk }],
    viewId: null,
    requestedAt: at,
  }
  return { issuance, ...own }
}

const refusal = { check: 'signer', reason: 'There is no certificate' } as const

type Session = Awaited<ReturnType<typeof newSession>>

const credentialId = () => randomUUID()
const request = (tx: Writer, { issuance }: Session) => insertRequested(tx, issuance)
const write = (tx: Writer, { issuance }: Session) => insertIssued(tx, issuance, 'sealed text', at)
const abandon = (tx: Writer, { issuance }: Session) => insertAbandoned(tx, issuance, at)
const finish = (tx: Writer, { issuance }: Session) => finishIssuance(tx, issuance, 'sealed text', at)

/** All that a signing process writes for a request, or for a row. */
const commit = (tx: Writer, session: Session) => commitAfter(write, tx, session)
const commitDeferred = (tx: Writer, session: Session) => commitAfter(finish, tx, session)

async function commitAfter(write: typeof finish, tx: Writer, session: Session): Promise<boolean> {
  const { issuance, sessionId, configurationId, userId } = session
  if (!(await write(tx, session))) return false
  await claimSession(tx, { tenantId, sessionId, configurationId, issuanceId: issuance.id })
  const common = { tenantId, userId, sessionId, configurationId, issuanceId: issuance.id, offerId: null }
  const record = { ...common, id: credentialId(), profile: 'compact' as const, type: 'T', devicePublicKey: jwk }
  const dates = {
    issuedAt: at,
    validFrom: at,
    validUntil: null,
    namespaces: null,
    msoHash: null,
    position: 0,
    signerId: null,
    viewId: null,
  }
  await insertCredentials(tx, [{ ...record, ...dates, status: 'valid' }])
  return true
}

async function rowOf({ issuance }: Session) {
  const [row] = await db.read.select().from(issuances).where(eq(issuances.id, issuance.id))
  return row
}

/** What there is of a person. */
async function leftOf({ userId, sessionId }: Session): Promise<number[]> {
  return Promise.all([
    db.read.$count(users, eq(users.id, userId)),
    db.read.$count(sessions, eq(sessions.userId, userId)),
    db.read.$count(sessionClaims, eq(sessionClaims.sessionId, sessionId)),
    db.read.$count(issuances, eq(issuances.userId, userId)),
    db.read.$count(credentials, eq(credentials.userId, userId)),
  ])
}

const nothing = [0, 0, 0, 0, 0]
const ways: Record<string, (tx: Writer, session: Session) => Promise<boolean>> = {
  requested: request,
  issued: commit,
  'issued after it was deferred': commitDeferred,
}

describe.each(Object.keys(ways))('while a credential is %s', (name) => {
  const write = ways[name] ?? request
  async function started(): Promise<Session> {
    const session = await newSession()
    if (write === commitDeferred) await db.tx((tx) => request(tx, session))
    return session
  }

  test('the erasure of its user waits and finds the credential', async () => {
    const session = await started()
    let erased: Promise<unknown> | undefined
    await db.tx(async (tx) => {
      expect(await write(tx, session)).toBe(true)
      erased = later(() => db.tx((tx) => eraseUser(tx, tenantId, session.userId, new Date(), noTerms)))
      await untilWaiting()
    })
    expect(await erased).toBeDefined()
    expect(await leftOf(session)).toEqual(nothing)
  })

  test('it waits for a running erasure of its user and writes nothing', async () => {
    const session = await started()
    let written: Promise<unknown> | undefined
    await db.tx(async (tx) => {
      await eraseUser(tx, tenantId, session.userId, new Date(), noTerms)
      written = later(() => db.tx((tx) => write(tx, session)))
      await untilWaiting()
    })
    expect(await written).toBe(false)
    expect(await leftOf(session)).toEqual(nothing)
  })

  test('the concurrent erasure of thirty users leaves nothing', async () => {
    const all = await Promise.all(Array.from({ length: 30 }, started))
    await Promise.all(
      all.flatMap((session) => [
        db.tx((tx) => write(tx, session)),
        db.tx((tx) => eraseUser(tx, tenantId, session.userId, new Date(), noTerms)),
      ]),
    )
    for (const session of all) expect(await leftOf(session)).toEqual(nothing)
  })
})

test('the response of a receiver is not stored after the erasure of the person', async () => {
  const session = await newSession()
  await db.tx((tx) => commit(tx, session))
  const [credential] = await db.read.select().from(credentials).where(eq(credentials.userId, session.userId))
  const { id: objectId, issuedAt: eventAt } = credential!
  const kind = 'OpenIdCredentialIssued'
  const delivery = await db.tx(async (tx) => {
    const { id: webhookId } = await insertWebhook(tx, tenantId, { events: [kind], url: 'https://hook.example.com' }, at)
    const eventId = derivedOrderedId(eventAt, objectId, kind)
    const event = { subjectKind: 'issuance', objectId, eventId, kind, eventAt } as const
    const made = newDelivery({ tenantId, webhookId, ...event }, at)
    await insertDeliveries(tx, [made])
    return made
  })
  const attempt = { id: randomUUID(), at: at.toISOString(), status: 200, durationMs: 1 }
  let erased: Promise<unknown> | undefined
  await db.tx(async (tx) => {
    const outcome = { state: 'delivered' as const, nextAttemptAt: null }
    await recordAttempt(tx, delivery, { attempt: { ...attempt, answer: 'Hello Ada' }, ...outcome })
    erased = later(() => db.tx((tx) => eraseUser(tx, tenantId, session.userId, new Date(), noTerms)))
    await untilWaiting()
  })
  expect(await erased).toBeDefined()
  const row = await findDelivery(db.read, tenantId, delivery.webhookId, delivery.id)
  expect(row).toMatchObject({ state: 'delivered', attempts: [attempt] })
  expect(row!.attempts[0]).not.toHaveProperty('answer')
})

/** Outside of the transaction that is under way, which the one that it starts is none of. */
function later<Result>(work: () => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => queue.push(() => work().then(resolve, reject)))
}

/** Waits until the work of `later` has begun and, on PostgreSQL, waits for a lock. SQLite has one writer at a time. */
async function untilWaiting(): Promise<void> {
  await eventually(async () => queue.length === 0)
  if (dialect === 'postgres') await eventually(async () => (await waitingForLocks({ deps: { db } })) > 0)
}

const queue: (() => void)[] = []
const runner = setInterval(() => queue.shift()?.(), 5)
afterAll(() => clearInterval(runner))

const ends: Record<string, (tx: Writer, session: Session) => Promise<unknown>> = {
  user: (tx, { userId }) => tx.delete(users).where(eq(users.id, userId)),
  registration: (tx, { sessionId }) => tx.delete(oauthClients).where(eq(oauthClients.id, sessionId)),
  authorization: (tx, { sessionId }) => tx.delete(authorizations).where(eq(authorizations.id, sessionId)),
  'authorization, which was revoked': (tx, { sessionId }) =>
    tx.update(authorizations).set({ state: 'ended' }).where(eq(authorizations.id, sessionId)),
}

test.each(Object.keys(ends))('a session is invalid without its %s, and nothing is issued for it', async (what) => {
  const session = await newSession()
  const { sessionId: id, userId } = session
  const requested = { ...session, issuance: { ...session.issuance, id: randomUUID() } }
  await db.tx(async (tx) => {
    const common = { id, tenantId, clientId: id, createdAt: at }
    const rules = { required: false, dpopRequired: false, rootCertificates: [] }
    await tx
      .insert(oauthClients)
      .values({ ...common, name: '', redirectUris: [], attestation: rules, dpopRequired: false })
    const authorization = {
      state: 'redeemed' as const,
      redirectUri: '',
      configurationIds: [],
      detailsRequested: false,
      userId,
    }
    await tx.insert(authorizations).values({
      ...common,
      ...authorization,
      codeChallenge: '',
      requestParameters: {},
      registrationId: id,
      expiresAt: at,
    })
    await tx.update(sessions).set({ authorizationId: id, registrationId: id }).where(eq(sessions.id, id))
    expect(await request(tx, requested)).toBe(true)
  })
  expect(await findSession(db.read, tenantId, id)).toMatchObject({ id })
  await db.tx(async (tx) => ends[what]?.(tx, session))
  expect(await findSession(db.read, tenantId, id)).toBeUndefined()
  for (const step of [request, write, abandon]) expect(await db.tx((tx) => step(tx, session))).toBe(false)
  expect(await db.tx((tx) => finish(tx, requested))).toBe(false)
})

test('an issuance is finished once, and its claims are removed', async () => {
  const session = await newSession()
  await db.tx((tx) => request(tx, session))
  expect(await rowOf(session)).toMatchObject({ state: 'requested', claims: { given_name: 'Ada' } })
  expect(await db.tx((tx) => finish(tx, session))).toBe(true)
  const issued = await rowOf(session)
  expect(issued).toMatchObject({ state: 'issued', claims: null, endedAt: at, credentials: 'sealed text' })
  expect(await db.tx((tx) => finish(tx, session))).toBe(false)
  expect(await rowOf(session)).toEqual(issued)
})

test.each([
  ['issued', write],
  ['abandoned', abandon],
  ['requested', request],
] as const)('an issuance that is %s gets no second row', async (state, first) => {
  const session = await newSession()
  expect(await db.tx((tx) => first(tx, session))).toBe(true)
  const row = await rowOf(session)
  expect(row).toMatchObject({ state, ...(state !== 'requested' && { claims: null, endedAt: at }) })
  for (const step of [request, write, abandon]) expect(await db.tx((tx) => step(tx, session))).toBe(false)
  expect(await rowOf(session)).toEqual(row)
})

test.each([
  ['issued', write],
  ['abandoned', abandon],
] as const)('of an issuance that is %s and another row at the same time one is written', async (_state, first) => {
  for (const other of [write, abandon, request]) {
    const session = await newSession()
    let second: Promise<unknown> | undefined
    await db.tx(async (tx) => {
      expect(await first(tx, session)).toBe(true)
      second = later(() => db.tx((tx) => other(tx, session)))
      await untilWaiting()
    })
    expect(await second).toBe(false)
  }
})

test('an issuance that has ended is not finished', async () => {
  const [abandoned, refused] = [await newSession(), await newSession()]
  await db.tx(async (tx) => {
    await abandon(tx, abandoned)
    await request(tx, refused)
    await refuseIssuances(tx, tenantId, [{ id: refused.issuance.id, refusal }], at)
  })
  for (const [session, state] of [
    [abandoned, 'abandoned'],
    [refused, 'refused'],
  ] as const) {
    expect(await db.tx((tx) => finish(tx, session))).toBe(false)
    expect(await rowOf(session)).toMatchObject({ state, credentials: null, claims: null })
  }
  expect(await rowOf(refused)).toMatchObject({ refusal })
})

test('concurrent requests of a session take at most the credentials that are left, besides the first of each configuration', async () => {
  const { sessionId } = await newSession()
  await db.tx((tx) => tx.update(sessions).set({ credentialsLeft: 5 }).where(eq(sessions.id, sessionId)))
  const take = () => db.tx((tx) => takeCredentials(tx, tenantId, sessionId, 2))
  const taken = await Promise.all(Array.from({ length: 12 }, take))
  expect(taken.filter((each) => each)).toHaveLength(2)
  expect(await findSession(db.read, tenantId, sessionId)).toMatchObject({ credentialsLeft: 1 })
  expect(await db.tx((tx) => takeCredentials(tx, tenantId, sessionId, 2, { isFirst: true }))).toBe(true)
  expect(await findSession(db.read, tenantId, sessionId)).toMatchObject({ credentialsLeft: 0 })
})

test('only requested issuances are refused', async () => {
  const session = await newSession()
  await db.tx(async (tx) => {
    await request(tx, session)
    await finish(tx, session)
  })
  const { id } = session.issuance
  expect(await db.tx((tx) => refuseIssuances(tx, tenantId, [{ id, refusal }], at))).toEqual([])
  expect(await rowOf(session)).toMatchObject({ state: 'issued' })
})

test.each<[OfferState, boolean]>([
  ['usable', false],
  ['spent', true],
  ['claimed', true],
  ['ended', false],
])('a credential can be issued for an offer that is %s: %s', async (state, canBe) => {
  const { offerId } = await newSession()
  await db.tx((tx) => tx.update(offers).set({ state }).where(eq(offers.id, offerId)))
  expect((await db.tx((tx) => claimOffer(tx, tenantId, offerId))) !== undefined).toBe(canBe)
  const claimed = and(eq(offers.id, offerId), eq(offers.state, canBe ? 'claimed' : state))
  expect(await db.read.$count(offers, claimed)).toBe(1)
})
