import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type HandleUse, handleOf } from '../../../api/issuance/credential/handles.ts'
import { issuances } from '../../../db/tables/issuance/issuances.ts'
import { notifications } from '../../../db/tables/issuance/notifications.ts'
import { newId } from '../../../shared/ids.ts'
import { sealCredentials } from '../../../shared/jobs/answered-credentials.ts'
import { type Endpoint, openEndpoint, type Session } from './credential-endpoint.ts'

// Deferred credentials and notifications, for issuances in each state. test/flows has them over HTTP.

let endpoint: Endpoint
beforeAll(async () => {
  endpoint = await openEndpoint()
})
afterAll(() => endpoint.close())

type Issuance = Partial<typeof issuances.$inferInsert>

/** Stores an issuance of a new session. It is deferred, signed and not delivered, except for `changes`. */
async function newIssuance(changes: Issuance = {}) {
  const { db, deps, now, tenant } = endpoint
  const session = await endpoint.newSession({ configurationIds: [] })
  const id = newId()
  const credentials = sealCredentials(deps.secrets, id, [{ id: newId(), format: 'cwt', credential: `of ${id}` }])
  const owner = { tenantId: tenant.id, userId: session.userId, sessionId: session.id }
  const content = { ...owner, id, configurationId: 'c', holderKeys: [], requestedAt: now, deferredAt: now }
  await db.tx((tx) => tx.insert(issuances).values({ ...content, state: 'issued', credentials, ...changes }))
  return { id, session }
}

const handle = (use: HandleUse, id: string, tenantId = endpoint.tenant.id) =>
  handleOf(endpoint.deps, { ...endpoint.tenant, id: tenantId }, use, id)
const collect = (session: Session, transaction_id: string) =>
  endpoint.call('collectDeferredCredential', session, { transaction_id })
const notify = (session: Session, notification_id: string, event = 'credential_accepted', more = {}) =>
  endpoint.call('notifyIssuer', session, { notification_id, event, ...more })

/** Values that resemble the handle of the issuance, but differ from it. */
const forged: [string, (use: HandleUse, id: string) => string][] = [
  ['of nothing', () => 'nothing'],
  ['without a MAC', (_use, id) => id],
  ['with an empty MAC', (_use, id) => `${id}.`],
  ['with a changed MAC', (use, id) => `${handle(use, id)}x`],
  ['with the MAC of another issuance', (use, id) => `${id}.${handle(use, newId()).split('.')[1]}`],
  ['with more after the MAC', (use, id) => `${handle(use, id)}.x`],
  ['of another tenant', (use, id) => handle(use, id, 'another')],
  ['for the other use', (use, id) => handle(use === 'transaction_id' ? 'notification_id' : 'transaction_id', id)],
  ['of an issuance that does not exist', (use) => handle(use, newId())],
]

test('a token of the same authorization is valid for a deferred credential and a notification', async () => {
  const [session, other] = [
    await endpoint.newSession({ configurationIds: [], isAuthorized: true }),
    await endpoint.newSession({ configurationIds: [], isAuthorized: true }),
  ]
  // The session that requested it has ended.
  const { id } = await newIssuance({ authorizationId: session.authorizationId, sessionId: newId() })
  const invalid = (problem: string) => expect.objectContaining({ problem })
  await expect(collect(other, handle('transaction_id', id))).rejects.toEqual(invalid('invalid_transaction_id'))
  await expect(notify(other, handle('notification_id', id))).rejects.toEqual(invalid('invalid_notification_id'))
  expect(await collect(session, handle('transaction_id', id))).toMatchObject({
    body: { credentials: [{ credential: `of ${id}` }] },
  })
  await notify(session, handle('notification_id', id))
})

describe('a deferred credential', () => {
  const invalid = { problem: 'invalid_transaction_id' }

  test('is returned when it is signed', async () => {
    const { id, session } = await newIssuance()
    const { body } = await collect(session, handle('transaction_id', id))
    expect(body).toEqual({ credentials: [{ credential: `of ${id}` }] })
  })

  test('that is not signed yet has the same transaction_id and an interval', async () => {
    const { id, session } = await newIssuance({ state: 'requested', credentials: null })
    const transaction_id = handle('transaction_id', id)
    expect(await collect(session, transaction_id)).toMatchObject({ status: 202, body: { transaction_id, interval: 5 } })
  })

  test('that was refused is denied', async () => {
    const { id, session } = await newIssuance({ state: 'refused', credentials: null })
    await expect(collect(session, handle('transaction_id', id))).rejects.toMatchObject({
      problem: 'credential_request_denied',
    })
  })

  test.each<[string, Issuance]>([
    ['was delivered', { deliveredAt: new Date() }],
    ['was cancelled', { state: 'abandoned' }],
    ['was wiped', { state: 'wiped' }],
    ['was not deferred', { deferredAt: null }],
    ['was not deferred and is not signed', { state: 'requested', deferredAt: null }],
    ['was not deferred and was refused', { state: 'refused', deferredAt: null }],
  ])('that %s is not returned', async (_what, changes) => {
    const { id, session } = await newIssuance(changes)
    await expect(collect(session, handle('transaction_id', id))).rejects.toMatchObject(invalid)
  })

  test.each(forged)('is not returned for a transaction_id %s', async (_what, forge) => {
    const { id, session } = await newIssuance()
    await expect(collect(session, forge('transaction_id', id))).rejects.toMatchObject(invalid)
  })

  test('is not returned to another session', async () => {
    const [mine, theirs] = [await newIssuance(), await newIssuance()]
    await expect(collect(mine.session, handle('transaction_id', theirs.id))).rejects.toMatchObject(invalid)
  })
})

describe('a notification', () => {
  const kept = (id: string) => endpoint.db.read.select().from(notifications).where(eq(notifications.issuanceId, id))

  test('is stored once for each event, with its description', async () => {
    const { id, session } = await newIssuance()
    const name = handle('notification_id', id)
    for (let time = 0; time < 2; time++) {
      await notify(session, name, 'credential_failure', { event_description: 'No space' })
      await notify(session, name, 'credential_deleted')
    }
    const common = { tenantId: endpoint.tenant.id, issuanceId: id, receivedAt: endpoint.now }
    expect(await kept(id)).toEqual(
      expect.arrayContaining([
        { ...common, event: 'credential_failure', description: 'No space' },
        { ...common, event: 'credential_deleted', description: null },
      ]),
    )
    expect(await kept(id)).toHaveLength(2)
  })

  test.each(forged)('is not stored for a notification_id %s', async (_what, forge) => {
    const { id, session } = await newIssuance()
    const refused = { problem: 'invalid_notification_id' }
    await expect(notify(session, forge('notification_id', id))).rejects.toMatchObject(refused)
    expect(await kept(id)).toEqual([])
  })

  test('is not stored for a credential of another session', async () => {
    const [mine, theirs] = [await newIssuance(), await newIssuance()]
    const refused = { problem: 'invalid_notification_id' }
    await expect(notify(mine.session, handle('notification_id', theirs.id))).rejects.toMatchObject(refused)
    expect(await kept(theirs.id)).toEqual([])
  })
})
