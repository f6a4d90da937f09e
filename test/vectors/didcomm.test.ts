import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { OkpPublicJwk } from '../../shared/formats/jwk.ts'
import { openMessage } from '../../shared/formats/jwm/open-message.ts'
import { messageFor, type ReceivedMessage, recipientsOf } from '../../shared/formats/jwm/read-message.ts'

const folder = '../shared/samples/didcomm'
const read = (name: string) => JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8'))

describe('DIDComm v2, appendix C (needs ../shared/samples)', { tags: 'samples' }, () => {
  test('each recipient opens the authenticated X25519 message', () => {
    const message: ReceivedMessage = read('12-jwe')
    const { kty, crv, x } = read('01-list').find(({ kid }: { kid: string }) => kid.endsWith('#key-x25519-1'))
    const kids = recipientsOf(message)
    expect(kids).toEqual([1, 2, 3].map((number) => `did:example:bob#key-x25519-${number}`))
    for (const [place, kid] of kids.entries()) {
      const key = read('02-list').find((each: { kid: string }) => each.kid === kid)
      const addressed = messageFor(message, place)
      expect(addressed.skid).toBe('did:example:alice#key-x25519-1')
      const senderJwk = { kty, crv, x } as OkpPublicJwk
      const plaintext = openMessage(addressed, { privateKey: createPrivateKey({ key, format: 'jwk' }), senderJwk })
      expect(JSON.parse(Buffer.from(plaintext).toString())).toMatchObject({
        id: '1234567890',
        from: 'did:example:alice',
        body: { messagespecificattribute: 'and its value' },
      })
    }
  })

  test.each([
    ['anonymous', '09-jwe'],
    ['under P-256', '13-jwe'],
  ])('the reader refuses a message that is %s', (_, name) => {
    expect(() => messageFor(read(name), 0)).toThrow(expect.objectContaining({ code: 'invalid_message' }))
  })
})
