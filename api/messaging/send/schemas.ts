import { z } from 'zod'
import { described } from '../../http/fields.ts'
import { exampleKeyDid } from '../../identifiers/dids/schemas.ts'
import { exampleJwe } from '../messages/schemas.ts'

const Part = z
  .string()
  .min(1)
  .regex(/^[\w-]+$/, 'Must be base64url')

/** A JWE in the general JSON serialisation (RFC 7516, section 7.2.1). Who can read it says what is in it: the rest goes as it came. */
const Jwe = z.looseObject({
  protected: Part.describe('The protected header, base64url'),
  recipients: z
    .array(z.record(z.string(), z.unknown()))
    .min(1)
    .max(1_000)
    .describe('One for each key that can read it, at most 1,000'),
  ciphertext: Part.describe('What is encrypted, base64url'),
  iv: Part.describe('The initialisation vector, base64url'),
  tag: Part.describe('The authentication tag, base64url'),
})

export const NewSend = z.object({
  to: described(z.string().max(3_000), 'A DID, or a DID URL of one of its keys', exampleKeyDid),
  message: described(Jwe, 'As `/v1/messaging/encrypt` makes it, without the envelope `jwe`', exampleJwe),
})
