import {
  createCipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { EncryptedMessageSchema } from '../../../../api/messaging/messages/schemas.ts'
import { FormatError } from '../../../../shared/formats/format-error.ts'
import type { OkpPublicJwk } from '../../../../shared/formats/jwk.ts'
import { encryptionOf, openContent } from '../../../../shared/formats/jwm/content-encryption.ts'
import { canAgree, deriveKey, unwrapKey, wrapKey } from '../../../../shared/formats/jwm/key-agreement.ts'
import { maxPlaintextBytes, maxRecipients } from '../../../../shared/formats/jwm/limits.ts'
import { openMessage } from '../../../../shared/formats/jwm/open-message.ts'
import { messageFor, type ReceivedMessage, recipientsOf } from '../../../../shared/formats/jwm/read-message.ts'
import { sealMessage } from '../../../../shared/formats/jwm/seal-message.ts'
import { testAgreement } from '../../../harness/test-signer.ts'
import { jwkOf, type OutsideKey, type OutsideOptions, openOutside, sealOutside } from '../../../wallets/ecdh-1pu.ts'

const newKey = (didUrl: string): OutsideKey => ({ didUrl, ...generateKeyPairSync('x25519') })
const [alice, bob, charlie] = ['alice', 'bob', 'charlie'].map((name) => newKey(`did:example:${name}#agreement`))
const jwk = (key: KeyObject) => jwkOf(key) as unknown as OkpPublicJwk
const text = '{"id":"1","body":{"greeting":"Kia ora"}}'

/** As `decrypt` does it for one recipient: his name, the sender's, and then the keys. */
async function open(message: ReceivedMessage, recipient: OutsideKey, sender: OutsideKey = alice!): Promise<string> {
  const place = recipientsOf(message).indexOf(recipient.didUrl)
  const addressed = messageFor(message, place)
  if (addressed.skid !== sender.didUrl) throw new FormatError('invalid_message', 'another sender')
  const parties = { key: testAgreement(recipient.privateKey), senderJwk: jwk(sender.publicKey) }
  return Buffer.from(await openMessage(addressed, parties)).toString()
}

const senderOf = ({ didUrl, privateKey }: OutsideKey) => ({ didUrl, key: testAgreement(privateKey) })
const sealed = (recipients = [bob!]) =>
  sealMessage(
    Buffer.from(text),
    senderOf(alice!),
    recipients.map(({ didUrl, publicKey }) => ({ didUrl, jwk: jwk(publicKey) })),
  )

const refused = expect.objectContaining({ name: 'FormatError', code: 'invalid_message' })
async function refusalOf(work: () => unknown): Promise<unknown> {
  try {
    return await work()
  } catch (error) {
    return error
  }
}

test('the wrapping keys are those of appendix B of draft-madden-jose-ecdh-1pu-04', async () => {
  const key = (x: string, d: string) => createPrivateKey({ key: { kty: 'OKP', crv: 'X25519', x, d }, format: 'jwk' })
  const sender = key('Knbm_BcdQr7WIoz-uqit9M0wbcfEr6y-9UfIZ8QnBD4', 'i9KuFhSzEBsiv3PKVL5115OCdsqQai5nj_Flzfkw5jU')
  const ephemeral = key('k9of_cpAajy0poW5gaixXGs9nHkwg1AFqUAFa39dyBc', 'x8EVZH4Fwk673_mUujnliJoSrLz0zYzzCWp5GUX2fc8')
  const recipients = [
    key('BT7aR0ItXfeDAldeeOlXL_wXqp-j5FltT0vRSG16kRw', '1gDirl_r_Y3-qUa3WXHgEXrrEHngWThU3c9zj9A2uBg'),
    key('q-LsvU772uV_2sPJhfAIq-3vnKNVefNoIlvyvg1hrnE', 'Jcv8gklhMjC0b-lsk5onBbppWAx5ncNtbM63Jr9xBQE'),
  ]
  const purpose = {
    alg: 'ECDH-1PU+A128KW',
    keyBits: 128 as const,
    partyU: Buffer.from('Alice'),
    partyV: Buffer.from('Bob and Charlie'),
    tag: Buffer.from('HLb4fTlm8spGmij3RyOs2gJ4DpHM4hhVRwdF_hGb3WQ', 'base64url'),
  }
  const wrappingKeys = recipients.map((privateKey) => {
    const theirs = createPublicKey(privateKey)
    const atSender = [ephemeral, sender].map((each) => diffieHellman({ privateKey: each, publicKey: theirs }))
    const atRecipient = [ephemeral, sender].map((each) =>
      diffieHellman({ privateKey, publicKey: createPublicKey(each) }),
    )
    expect(atSender).toEqual(atRecipient)
    return deriveKey(atSender, purpose)
  })
  expect(wrappingKeys.map((each) => each.toString('hex'))).toEqual([
    'df4c37a0668306a11e3d6b0074b5d8df',
    '57d8126f1b7ec4ccb0584dac03cb27cc',
  ])
  const contentKey = Buffer.from(Array.from({ length: 64 }, (_, at) => 0xff - at))
  const wrapped = [
    'pOMVA9_PtoRe7xXW1139NzzN1UhiFoio8lGto9cf0t8PyU-sjNXH8-LIRLycq8CHJQbDwvQeU1cSl55cQ0hGezJu2N9IY0QN',
    '56GVudgRLIMEElQ7DpXsijJVRSWUSDNdbWkdV3g0GUNq6hcT_GkxwnxlPIWrTXCqRpVKQC8fe4z3PQ2YH2afvjQ28aiCTWFE',
  ]
  expect(wrappingKeys.map((each) => wrapKey(each, contentKey).toString('base64url'))).toEqual(wrapped)
  expect(unwrapKey(wrappingKeys[0]!, Buffer.from(wrapped[0]!, 'base64url'))).toEqual(contentKey)
})

test('a sealed message is opened by an independent implementation, by each recipient, and by no other key', async () => {
  const message = await sealed([bob!, charlie!])
  expect(openOutside(message, bob!, alice!.publicKey)).toBe(text)
  expect(openOutside(message, charlie!, alice!.publicKey)).toBe(text)
  expect(await open(message, charlie!)).toBe(text)
  const impostor = { ...bob!, privateKey: charlie!.privateKey }
  expect(() => openOutside(message, impostor, alice!.publicKey)).toThrow()
  expect(await refusalOf(() => open(message, impostor))).toEqual(refused)
  const [first, second] = message.recipients.map(({ header }) => header.epk.x)
  expect(first).not.toBe(second)
})

const forms: [name: string, OutsideOptions][] = (['XC20P', 'A256GCM', 'A256CBC-HS512'] as const).flatMap((enc) => [
  [`${enc}, headers of recipients`, { enc, apu: alice!.didUrl, apv: bob!.didUrl }],
  [`${enc}, without parties`, { enc, named: 'encryption_key' }],
  [`${enc}, parties that are no DIDs`, { enc, apu: 'Alice', apv: 'Bob and Charlie' }],
  [`${enc}, one protected header, as DIDComm v2 has it`, { enc, headers: 'protected', apu: alice!.didUrl, apv: 'x' }],
])

test.each(forms)('a message of an independent implementation is opened: %s', async (_, options) => {
  const message = sealOutside(text, alice!, [charlie!, bob!], options)
  expect(await open(message, bob!)).toBe(text)
})

test('the content encryption can be named in alg alone, as in some implementations', async () => {
  const message = sealOutside(text, alice!, [bob!], { protectedMore: { enc: undefined, alg: 'XC20P' } })
  expect(await open(message, bob!)).toBe(text)
})

test('a changed byte of a message is refused, except in the second name of the encrypted key, which is not read', async () => {
  const written = JSON.stringify(await sealed())
  const names = ['"encryption_key"', '"encrypted_key"'].map((name) => [written.indexOf(name), name.length] as const)
  const inName = (at: number) => names.some(([from, length]) => at >= from && at < from + length)
  const survived: number[] = []
  for (let at = 0; at < written.length; at++) {
    for (const bit of [1, 2, 4, 8, 16, 32]) {
      const changed = written.slice(0, at) + String.fromCharCode(written.charCodeAt(at) ^ bit) + written.slice(at + 1)
      const message = parsed(changed)
      if (message && (await refusalOf(() => open(message, bob!))) === text && !inName(at)) survived.push(at)
    }
  }
  expect(survived).toEqual([])
})

function parsed(changed: string): ReceivedMessage | undefined {
  try {
    return EncryptedMessageSchema.safeParse(JSON.parse(changed)).data
  } catch {
    return undefined
  }
}

test.each(['XC20P', 'A256GCM', 'A256CBC-HS512'] as const)('a changed bit of a %s message is refused', async (enc) => {
  const message = sealOutside(text, alice!, [bob!], { enc })
  const flipped = (value: string, bit: number) => {
    const bytes = Buffer.from(value, 'base64url')
    bytes[bit >> 3]! ^= 1 << (bit & 7)
    return bytes.toString('base64url')
  }
  const [recipient] = message.recipients
  const changes: [value: string, (value: string) => ReceivedMessage][] = [
    [message.iv, (iv) => ({ ...message, iv })],
    [message.tag, (tag) => ({ ...message, tag })],
    [message.ciphertext, (ciphertext) => ({ ...message, ciphertext })],
    [recipient!.encrypted_key!, (encrypted_key) => ({ ...message, recipients: [{ ...recipient!, encrypted_key }] })],
    [recipient!.header.epk.x, (x) => withHeader(message, { epk: { ...recipient!.header.epk, x } })],
  ]
  for (const [value, change] of changes) {
    for (let bit = 0; bit < Buffer.from(value, 'base64url').length * 8; bit++) {
      expect(await refusalOf(() => open(change(flipped(value, bit)), bob!))).toEqual(refused)
    }
  }
})

function withHeader(message: ReceivedMessage, more: object): ReceivedMessage {
  return {
    ...message,
    recipients: message.recipients.map((each) => ({ ...each, header: { ...each.header, ...more } })),
  }
}

const withProtected = (message: ReceivedMessage, more: object): ReceivedMessage => {
  const header = JSON.parse(Buffer.from(message.protected, 'base64url').toString())
  return { ...message, protected: Buffer.from(JSON.stringify({ ...header, ...more })).toString('base64url') }
}

const cut = (value: string, bytes: number) => Buffer.from(value, 'base64url').subarray(0, bytes).toString('base64url')
const okp = (bytes: Buffer) => ({ kty: 'OKP', crv: 'X25519', x: bytes.toString('base64url') })
const little = (hex: string) => Buffer.from(hex.padStart(64, '0'), 'hex').reverse()

test.each<[name: string, (message: ReturnType<typeof sealOutside>) => ReceivedMessage, OutsideOptions?]>([
  ['a tag of 4 bytes', (message) => ({ ...message, tag: cut(message.tag, 4) }), { enc: 'A256GCM' }],
  [
    'a tag of 16 bytes where 32 belong',
    (message) => ({ ...message, tag: cut(message.tag, 16) }),
    { enc: 'A256CBC-HS512' },
  ],
  ['no tag', (message) => ({ ...message, tag: '' })],
  ['a short iv', (message) => ({ ...message, iv: cut(message.iv, 12) })],
  [
    'an iv of another length that its cipher would take',
    (message) => ({ ...message, iv: `${message.iv}AAAA` }),
    { enc: 'A256GCM' },
  ],
  ['padding', (message) => ({ ...message, tag: `${message.tag}==` })],
  ['an unknown enc', (message) => withProtected(message, { enc: 'A128GCM' })],
  ['no enc', (message) => withProtected(message, { enc: undefined })],
  ['an enc of the prototype', (message) => withProtected(message, { enc: 'toString' })],
  ['crit', (message) => message, { protectedMore: { crit: ['exp'] } }],
  ['compression', (message) => message, { protectedMore: { zip: 'DEF' } }],
  ['a protected header that is none', (message) => ({ ...message, protected: 'bnVsbA' })],
  ['an anonymous alg', (message) => withHeader(message, { alg: 'ECDH-ES+A256KW' })],
  ['another wrapping', (message) => withHeader(message, { alg: 'ECDH-1PU+A128KW' })],
  ['no alg', (message) => withHeader(message, { alg: undefined })],
  [
    'two algs',
    (message) => withHeader(message, { alg: 'ECDH-ES+A256KW' }),
    { protectedMore: { alg: 'ECDH-1PU+A256KW' } },
  ],
  ['a protected header that is too large', (message) => message, { protectedMore: { more: 'x'.repeat(8_000) } }],
  ['a party that is too long', (message) => message, { apv: 'x'.repeat(1_600) }],
  ['no skid', (message) => withHeader(message, { skid: undefined })],
  ['a skid in both headers', (message) => message, { protectedMore: { skid: alice!.didUrl } }],
  ['an apu that names another DID', (message) => message, { apu: charlie!.didUrl }],
  ['no epk', (message) => withHeader(message, { epk: undefined })],
  [
    'an epk of another curve',
    (message) => withHeader(message, { epk: { kty: 'OKP', crv: 'Ed25519', x: jwk(bob!.publicKey).x } }),
  ],
  [
    'an epk with its private half',
    (message) => withHeader(message, { epk: bob!.privateKey.export({ format: 'jwk' }) }),
  ],
  ['no encrypted key', (message) => ({ ...message, recipients: message.recipients.map(({ header }) => ({ header })) })],
  [
    'an empty encrypted key',
    (message) => ({ ...message, recipients: message.recipients.map((each) => ({ ...each, encrypted_key: '' })) }),
  ],
  [
    'two encrypted keys',
    (message) => ({ ...message, recipients: message.recipients.map((each) => ({ ...each, encryption_key: 'AAAA' })) }),
  ],
  ['a recipient twice', (message) => ({ ...message, recipients: [...message.recipients, ...message.recipients] })],
  ['no recipient', (message) => ({ ...message, recipients: [] })],
  [
    'too many recipients',
    (message) => ({
      ...message,
      recipients: [...message.recipients, ...Array.from({ length: maxRecipients }, () => ({ header: {} }))],
    }),
  ],
  ['too much', (message) => ({ ...message, ciphertext: 'A'.repeat(140_000) })],
])('refuses %s', async (_, change, options) => {
  const message = sealOutside(text, alice!, [bob!], options)
  expect(await refusalOf(() => open(change(message), bob!))).toEqual(refused)
})

test('a message of the maximum size is opened, and a larger one is refused', async () => {
  const content = 'x'.repeat(maxPlaintextBytes)
  expect(await open(sealOutside(content, alice!, [bob!]), bob!)).toBe(content)
  expect(await refusalOf(() => open(sealOutside(`${content}${'x'.repeat(20)}`, alice!, [bob!]), bob!))).toEqual(refused)
})

describe('content is opened only with the lengths of its algorithm', () => {
  const [key, aad] = [Buffer.alloc(64, 1), Buffer.from('header')]

  test('A256GCM, whose cipher accepts any iv', () => {
    const opened = (ivBytes: number) => {
      const iv = Buffer.alloc(ivBytes, 2)
      const cipher = createCipheriv('aes-256-gcm', key.subarray(0, 32), iv).setAAD(aad)
      const ciphertext = Buffer.concat([cipher.update(text), cipher.final()])
      return openContent(
        encryptionOf('A256GCM'),
        key.subarray(0, 32),
        { iv, ciphertext, tag: cipher.getAuthTag() },
        aad,
      )
    }
    expect(Buffer.from(opened(12)).toString()).toBe(text)
    expect(() => opened(16)).toThrow('not the lengths of the content encryption')
  })

  test('A256CBC-HS512, whose tag is the beginning of a longer one', () => {
    const iv = Buffer.alloc(16, 2)
    const cipher = createCipheriv('aes-256-cbc', key.subarray(32), iv)
    const ciphertext = Buffer.concat([cipher.update(text), cipher.final()])
    const bits = Buffer.from([0, 0, 0, 0, 0, 0, 0, aad.length * 8])
    const mac = createHmac('sha512', key.subarray(0, 32))
      .update(Buffer.concat([aad, iv, ciphertext, bits]))
      .digest()
    const opened = (tagBytes: number) =>
      openContent(encryptionOf('A256CBC-HS512'), key, { iv, ciphertext, tag: mac.subarray(0, tagBytes) }, aad)
    expect(Buffer.from(opened(32)).toString()).toBe(text)
    for (const tagBytes of [0, 4, 16, 64])
      expect(() => opened(tagBytes)).toThrow('not the lengths of the content encryption')
  })
})

test('a message can have the maximum number of recipients', async () => {
  const others = Array.from({ length: maxRecipients - 1 }, (_, at) => newKey(`did:example:${at}#agreement`))
  const message = await sealed([...others, bob!])
  expect(await open(message, bob!)).toBe(text)
})

/** RFC 7748, section 7, and the list of cr.yp.to/ecdh.html: nothing is secret that is agreed upon with one of these. */
const lowOrder = [
  '0',
  '1',
  '00b8495f16056286fdb1329ceb8d09da6ac49ff1fae35616aeb8413b7c7aebe0',
  '57119fd0dd4e22d8868e1c58c45c44045bef839c55b1d0b1248c50a3bc959c5f',
  '7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffec',
]

test.each(lowOrder)('refuses a point of low order: %s', async (hex) => {
  const publicKey = createPublicKey({ key: okp(little(hex)), format: 'jwk' })
  expect(canAgree(publicKey)).toBe(false)
  const message = sealOutside(text, alice!, [bob!])
  expect(await refusalOf(() => open(withHeader(message, { epk: okp(little(hex)) }), bob!))).toEqual(refused)
  const weak = { ...alice!, publicKey }
  expect(await refusalOf(() => open(message, bob!, weak))).toEqual(refused)
  const recipient = { didUrl: bob!.didUrl, jwk: jwk(publicKey) }
  await expect(sealMessage(Buffer.from(text), senderOf(alice!), [recipient])).rejects.toThrow()
})

test('another encoding of a point is refused, although it gives the same agreement', async () => {
  // 9 and 2^255 - 19 + 9 are one point.
  const [nine, more] = [okp(little('9')), okp(little(`${'7f'.padEnd(62, 'f')}f6`))]
  const agreed = [nine, more].map((key) =>
    diffieHellman({ privateKey: bob!.privateKey, publicKey: createPublicKey({ key, format: 'jwk' }) }),
  )
  expect(agreed[0]).toEqual(agreed[1])
  const message = sealOutside(text, alice!, [bob!])
  expect(messageFor(withHeader(message, { epk: nine }), 0)).toMatchObject({ epk: nine })
  expect(await refusalOf(() => messageFor(withHeader(message, { epk: more }), 0))).toEqual(refused)
})
