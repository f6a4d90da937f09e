import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { agreementKeyOfDocument, newDidKey, outsider, ownKeys } from '../../harness/parties.ts'
import { sealOutside } from '../../wallets/ecdh-1pu.ts'

let service: Service
let other: TestTenant
beforeAll(async () => {
  service = await startService({ roles: ['signing'] })
  other = await service.addTenant()
})
afterAll(() => service[Symbol.asyncDispose]())

const payload = { id: '1', type: 'https://example.org/greeting', body: { greeting: 'Kia ora' } }

const encrypt = (body: object) => service.operator.post('/v1/messaging/encrypt', body)
const decrypt = (jwe: unknown) => service.operator.post('/v1/messaging/decrypt', { jwe })

test('the sender in the payload must be the sender that encrypts the message', async () => {
  const mine = await newDidKey(service)
  const send = (from: string, senderDidUrl = mine.did) =>
    encrypt({ senderDidUrl, recipientDidUrls: [other.did], payload: { ...payload, from } })
  for (const from of [mine.did, mine.keyAgreement, mine.authentication])
    expect((await send(from)).status, from).toBe(200)
  for (const from of [other.did, service.did, 'did:example:alice', 'alice', '']) {
    const { status, body } = await send(from)
    const detail = { value: from, msg: expect.any(String), param: 'payload.from', location: 'body' }
    expect({ status, details: body.details }).toEqual({ status: 400, details: [detail] })
  }
})

test('a message with another sender in its payload is refused, unless the request allows it', async () => {
  const [alice, { keyAgreement }] = [outsider(), await ownKeys(service)]
  const recipient = { didUrl: keyAgreement, publicKey: await agreementKeyOfDocument(service) }
  const sealedWith = (from: unknown) => sealOutside(JSON.stringify({ ...payload, from }), alice, [recipient])
  for (const from of [undefined, alice.did, alice.didUrl])
    expect(await decrypt(sealedWith(from))).toMatchObject({ status: 200, body: { senderMatches: true } })
  for (const from of [service.did, `${alice.did}x`, '', 1, null, { did: alice.did }]) {
    const jwe = sealedWith(from)
    const { status, body } = await decrypt(jwe)
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        code: 'SenderMismatch',
        message: expect.stringMatching(/not the owner of the key/),
        details: [{ msg: expect.stringContaining('allowSenderMismatch'), param: 'payload.from', location: 'body' }],
      },
    })
    const allowed = { jwe, allowSenderMismatch: true }
    expect(await service.operator.post('/v1/messaging/decrypt', allowed)).toMatchObject({
      status: 200,
      body: { payload: { ...payload, from }, senderDidUrl: alice.didUrl, senderMatches: false },
    })
  }
})

test('a message of an earlier version with alg in both headers is opened', async () => {
  const [alice, { keyAgreement }] = [outsider(), await ownKeys(service)]
  const recipient = { didUrl: keyAgreement, publicKey: await agreementKeyOfDocument(service) }
  const jwe = sealOutside(JSON.stringify(payload), alice, [recipient], { protectedMore: { alg: 'XC20P' } })
  expect(await decrypt(jwe)).toMatchObject({ status: 200, body: { payload } })
})
