import { eq, like } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliveries } from '../../db/tables/operations/deliveries.ts'
import { outbox } from '../../db/tables/outbox.ts'
import { changeKinds, findChangeMembers } from '../../shared/domain/operations/change-events.ts'
import { eventually, type Service, startService, type TestTenant } from '../harness/harness.ts'
import { newCredentials, newList } from '../harness/revocable.ts'
import { type Receiver, startReceiver, verify } from '../servers/receiver.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

async function subscribe(tenant: TestTenant, { url }: Receiver, events: readonly string[]): Promise<string> {
  const { status, body } = await tenant.operator.post('/v1/webhooks', { events, url })
  expect(status).toBe(201)
  return body.id
}

const received = (receiver: Receiver, count: number) =>
  eventually(async () => receiver.deliveries.length >= count && receiver.deliveries.map(({ body }) => body.event))
const inOutbox = (kind: string) => service.deps.db.read.$count(outbox, like(outbox.id, `${kind}.%`))
const pathOf = (id: string) => `/v2/credentials/compact/${id}/revocation-status`

test('a revocation and its undoing are sent once each, with ids only', async () => {
  const tenant = await service.addTenant()
  await using receiver = await startReceiver()
  await subscribe(tenant, receiver, ['CredentialRevoked', 'CredentialStatusChanged'])
  const listId = await newList(service, tenant.id, 'compact')
  const [first, second] = await newCredentials(service, tenant.id, { profile: 'compact', listId, count: 2 })
  const credentialId = first!.credentialId

  await tenant.operator.post(pathOf(credentialId), { isRevoked: true })
  // No change, no event.
  await tenant.operator.post(pathOf(credentialId), { isRevoked: true })
  expect((await received(receiver, 2)).map(({ type, payload }) => [type, payload]).sort()).toEqual([
    ['CredentialRevoked', { credentialId }],
    ['CredentialStatusChanged', { credentialId, status: 'invalid' }],
  ])
  await tenant.operator.post(pathOf(credentialId), { isRevoked: false })
  const [, , undone] = await received(receiver, 3)
  expect(undone).toMatchObject({ type: 'CredentialStatusChanged', payload: { credentialId, status: 'valid' } })
  expect(await verify(receiver.deliveries[2]!, (await tenant.anonymous.get('/v1/webhooks/jwks')).body)).toBe(true)

  const bulk = { isRevoked: true, credentials: [first!.credentialId, second!.credentialId] }
  expect((await tenant.operator.post('/v2/credentials/revocation-status', bulk)).status).toBeLessThan(300)
  const types = (await received(receiver, 7)).slice(3).map(({ type }) => type)
  expect(types.filter((type) => type === 'CredentialRevoked')).toHaveLength(2)
  expect(receiver.deliveries).toHaveLength(7)
})

test('an event is committed with its change or not at all, and only if a webhook receives it', async () => {
  const tenant = await service.addTenant()
  const listId = await newList(service, tenant.id, 'compact')
  const [made] = await newCredentials(service, tenant.id, { profile: 'compact', listId })
  await service.workers.stop()
  await tenant.operator.post(pathOf(made!.credentialId), { isRevoked: true })
  expect(await inOutbox('CredentialRevoked')).toBe(0)
  await using receiver = await startReceiver()
  await subscribe(tenant, receiver, ['CredentialRevoked'])
  await tenant.operator.post(pathOf(made!.credentialId), { isRevoked: false })
  await tenant.operator.post(pathOf(made!.credentialId), { isRevoked: true })
  expect(await inOutbox('CredentialRevoked')).toBe(1)
  expect(await inOutbox('CredentialStatusChanged')).toBe(0)
  await service.workers.start()
  await received(receiver, 1)
  expect(await inOutbox('CredentialRevoked')).toBe(0)
})

test('an erasure, a rotation and a disabled webhook are sent', async () => {
  const tenant = await service.addTenant()
  await using receiver = await startReceiver(() => ({ body: 'Ada Lovelace' }))
  const id = await subscribe(tenant, receiver, ['UserErased', 'KeyRotated', 'WebhookDisabled'])
  const { body: user } = await tenant.operator.post('/v1/users', { claims: { given_name: 'Ada' } })
  const erased = await tenant.operator.delete(`/v1/users/${user.id}`)
  expect(erased.status).toBeLessThan(300)
  const [event] = await received(receiver, 1)
  expect(event).toMatchObject({ type: 'UserErased', payload: { userId: user.id, erasureId: expect.any(String) } })
  // The erasure of a user does not find this delivery, so the answer is not stored.
  const delivered = await eventually(async () => {
    const rows = await service.deps.db.read.select().from(deliveries).where(eq(deliveries.webhookId, id))
    return rows[0]?.state === 'delivered' && rows[0]
  })
  expect(delivered.attempts).toMatchObject([{ status: 200 }])
  expect(JSON.stringify(delivered)).not.toContain('Ada')

  const { body: rotated } = await tenant.operator.post('/v1/webhooks/keys/rotate')
  const [, rotation] = await received(receiver, 2)
  expect(rotation).toMatchObject({ type: 'KeyRotated', payload: { keyId: rotated.kid, use: 'webhooks' } })

  await using gone = await startReceiver(() => ({ status: 410 }))
  const goneId = await subscribe(tenant, gone, ['UserErased'])
  await tenant.operator.post(`/v1/webhooks/${goneId}/test`)
  const [, , ended] = await received(receiver, 3)
  expect(ended).toMatchObject({ type: 'WebhookDisabled', payload: { disabledWebhookId: goneId, reason: 'gone' } })
  const url = gone.url
  await tenant.operator.put(`/v1/webhooks/${goneId}`, { events: ['UserErased'], url })
  await tenant.operator.put(`/v1/webhooks/${goneId}`, { events: ['UserErased'], url, disabled: true })
  const [, , , byOperator] = await received(receiver, 4)
  expect(byOperator.payload).toEqual({ disabledWebhookId: goneId, reason: 'operator' })
})

test.each(changeKinds)('a test event of %s has the members of its kind', async (kind) => {
  await using receiver = await startReceiver()
  const id = await subscribe(service, receiver, [kind])
  await service.operator.post(`/v1/webhooks/${id}/test`)
  const [event] = await received(receiver, 1)
  expect(event).toMatchObject({ type: kind, payload: { test: true } })
  expect(Object.keys(event.payload)).toEqual(['test', ...findChangeMembers(kind)!])
  await service.operator.delete(`/v1/webhooks/${id}`)
})
