import { z } from 'zod'
import { Name, Timestamp } from '../../http/fields.ts'
import { Did } from '../../identifiers/dids/schemas.ts'

export const NewInbox = z.object({ name: Name })

export const InboxView = z.object({ id: z.string(), name: z.string() })

export const NewInboxDid = z.object({
  did: Did,
  jwt: z
    .string()
    .max(10_000)
    .optional()
    .describe(
      'For a DID that is not kept here: signed by a key that authenticates it, with `iss` the DID, `aud` the base URL and `exp` in five minutes at most',
    ),
})

export const RegisteredDid = z.object({ did: z.string() })

export const InboxMessageView = z.object({
  id: z.string(),
  inboxId: z.string(),
  name: z.string().describe('The DID that the message was sent to'),
  createdAt: Timestamp.describe('When it came; later than that of every message before it'),
  payload: z.looseObject({ ciphertext: z.string() }).describe('The message as it came: a JWE'),
})
