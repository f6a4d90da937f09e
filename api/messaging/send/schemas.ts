import { z } from 'zod'

const Part = z
  .string()
  .min(1)
  .regex(/^[\w-]+$/, 'Must be base64url')

/** A JWE in the general JSON serialisation (RFC 7516, section 7.2.1). Who can read it says what is in it: the rest goes as it came. */
const Jwe = z.looseObject({
  protected: Part,
  recipients: z.array(z.record(z.string(), z.unknown())).min(1).max(1_000),
  ciphertext: Part,
  iv: Part,
  tag: Part,
})

export const NewSend = z.object({
  to: z.string().max(3_000).describe('A DID, or a DID URL of one of its keys'),
  message: Jwe.describe('As `/v1/messaging/encrypt` makes it, without the envelope `jwe`'),
})
