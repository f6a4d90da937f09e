import { z } from 'zod'
import { described } from '../../http/fields.ts'
import { exampleKeyDid } from '../../identifiers/dids/schemas.ts'
import { exampleJwe } from '../messages/schemas.ts'

const Part = z
  .string()
  .min(1)
  .regex(/^[\w-]+$/, 'Must be base64url')

/** A JWE in the general JSON serialisation (RFC 7516, section 7.2.1). Other members are forwarded unchanged. */
const Jwe = z.looseObject({
  protected: Part.describe('The protected header in base64url'),
  recipients: z
    .array(z.record(z.string(), z.unknown()))
    .min(1)
    .max(1_000)
    .describe('One entry for each key that can decrypt the message, at most 1,000'),
  ciphertext: Part.describe('The ciphertext in base64url'),
  iv: Part.describe('The initialisation vector in base64url'),
  tag: Part.describe('The authentication tag in base64url'),
})

export const NewSend = z.object({
  to: described(z.string().max(3_000), 'The recipient: a DID or a DID URL of one of its keys', exampleKeyDid),
  message: described(Jwe, 'The message from `/v1/messaging/encrypt`, without the envelope `jwe`', exampleJwe),
})
