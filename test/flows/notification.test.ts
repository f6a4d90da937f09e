import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { notifications } from '../../db/tables/issuance/notifications.ts'
import { createApi } from '../harness/api-client.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { eventually, joinService, type SharedService } from '../harness/harness.ts'
import { newWallet } from '../wallets/wallet.ts'

let service: SharedService
let configurationId: string
beforeAll(async () => {
  service = await joinService()
  configurationId = await compactConfiguration(service)
})
afterAll(() => service?.[Symbol.asyncDispose]())

/** A wallet with its credential. */
async function collected() {
  const offer = await newOffer(service, [configurationId])
  const wallet = await newWallet(service, service.origin, offer.uri)
  const { body: token } = await wallet.redeem()
  const { body } = await wallet.requestCredential()
  const bearer = createApi(service.origin, service.host, token.access_token)
  const notify = (request: Record<string, unknown>) =>
    bearer.post('/v1/openid/notification', { notification_id: body.notification_id, ...request })
  return { notify, userId: offer.userId, notificationId: body.notification_id as string }
}

const kept = () => service.deps.db.read.select().from(notifications).where(eq(notifications.tenantId, service.id))

test('a notification is stored once, however often the wallet sends it', async () => {
  const { notify, userId } = await collected()
  const before = (await kept()).length
  const notification = { event: 'credential_accepted', event_description: 'Stored' }
  const answers = await Promise.all(Array.from({ length: 10 }, () => notify(notification)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
  expect(await notify({ event: 'credential_deleted' })).toMatchObject({ status: 204, body: undefined })
  expect(await kept()).toHaveLength(before + 2)
  await eventually(async () => {
    const { body } = await service.operator.get('/v1/events?types=OPENID_NOTIFICATION_SUCCESS')
    return body.data.length > 0
  })
  expect(await service.operator.delete(`/v1/users/${userId}`)).toMatchObject({ status: 204 })
  expect(await kept()).toHaveLength(before)
})

const faults: Record<string, { request: Record<string, unknown>; error: string }> = {
  'an id that was made up': {
    request: { notification_id: 'nothing', event: 'credential_accepted' },
    error: 'invalid_notification_id',
  },
  'no id': {
    request: { notification_id: undefined, event: 'credential_accepted' },
    error: 'invalid_notification_request',
  },
  'no event': { request: {}, error: 'invalid_notification_request' },
  'another event': { request: { event: 'credential_lost' }, error: 'invalid_notification_request' },
  'a description with quotes': {
    request: { event: 'credential_failure', event_description: '"' },
    error: 'invalid_notification_request',
  },
}

describe('a notification is refused and not stored with', () => {
  test.each(Object.keys(faults))('%s', async (name) => {
    const { notify } = await collected()
    const before = (await kept()).length
    const { request = {}, error } = faults[name] ?? {}
    expect(await notify(request)).toMatchObject({ status: 400, body: { error } })
    expect(await kept()).toHaveLength(before)
  })

  test('the id of another session', async () => {
    const [mine, theirs] = [await collected(), await collected()]
    const request = { notification_id: theirs.notificationId, event: 'credential_deleted' }
    expect(await mine.notify(request)).toMatchObject({ status: 400, body: { error: 'invalid_notification_id' } })
  })

  test('no token', async () => {
    const { notificationId } = await collected()
    const request = { notification_id: notificationId, event: 'credential_accepted' }
    expect(await service.anonymous.post('/v1/openid/notification', request)).toMatchObject({ status: 401 })
  })
})
