import { expect, test } from 'vitest'
import { joinService } from '../harness/harness.ts'

test('one tenant encrypts and sends a message, and another finds it in its inbox and opens it', async () => {
  await using service = await joinService()
  const other = await service.addTenant()
  const { body: inbox } = await other.operator.post('/v1/messaging/inboxes', { name: 'Post' })
  await other.operator.post(`/v1/messaging/inboxes/${inbox.id}/dids`, { did: other.did })
  const payload = { id: '1', type: 'https://example.org/greeting', from: service.did, body: { greeting: 'Kia ora' } }

  const body = { senderDidUrl: service.did, recipientDidUrls: [other.did], payload }
  const { jwe } = (await service.operator.post('/v1/messaging/encrypt', body)).body
  expect(await service.operator.post('/v1/messaging/send', { to: other.did, message: jwe })).toMatchObject({
    status: 200,
  })

  const { data } = (await other.operator.get(`/v1/messaging/inboxes/${inbox.id}/messages`)).body
  expect(data).toMatchObject([{ name: other.did, payload: jwe }])
  const opened = await other.operator.post('/v1/messaging/decrypt', { jwe: data[0].payload })
  expect(opened).toMatchObject({ status: 200, body: { payload, senderDidUrl: jwe.recipients[0].header.skid } })
  const back = { ...payload, from: other.did }
  const answer = { senderDidUrl: other.did, recipientDidUrls: [opened.body.senderDidUrl], payload: back }
  const { body: reply } = await other.operator.post('/v1/messaging/encrypt', answer)
  expect(await service.operator.post('/v1/messaging/decrypt', reply)).toMatchObject({
    status: 200,
    body: { payload: back, senderMatches: true },
  })
})
