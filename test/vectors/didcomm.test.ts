import { createPrivateKey } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openMessage } from '../../shared/formats/jwm/open-message.ts'
import { messageFor, recipientsOf } from '../../shared/formats/jwm/read-message.ts'
import { testAgreement } from '../harness/test-signer.ts'
import { encryptedMessages, plaintext, recipientKeys, senderKey } from './didcomm.ts'

describe('DIDComm Messaging v2.0, appendix C.3', () => {
  const { authenticatedX25519, anonymousX25519, authenticatedP256 } = encryptedMessages

  test('each recipient opens the authenticated X25519 message', async () => {
    const kids = Object.keys(recipientKeys)
    expect(recipientsOf(authenticatedX25519)).toEqual(kids)
    for (const [index, kid] of kids.entries()) {
      const message = messageFor(authenticatedX25519, index)
      expect(message.skid).toBe('did:example:alice#key-x25519-1')
      const key = testAgreement(createPrivateKey({ key: recipientKeys[kid]!, format: 'jwk' }))
      const opened = await openMessage(message, { key, senderJwk: senderKey })
      expect(JSON.parse(Buffer.from(opened).toString())).toMatchObject(plaintext)
    }
  })

  test.each([
    ['anonymous', anonymousX25519],
    ['under P-256', authenticatedP256],
  ])('the reader refuses a message that is %s', (_, message) => {
    expect(() => messageFor(message, 0)).toThrow(expect.objectContaining({ code: 'invalid_message' }))
  })
})
