import { z } from 'zod'
import { described, idOf, Name, Timestamp } from '../../http/fields.ts'
import { Did, exampleKeyDid } from '../../identifiers/dids/schemas.ts'
import { exampleJwe } from '../messages/schemas.ts'

const nameWords = 'What people call it'
const exampleName = 'Admissions'

export const NewInbox = z.object({ name: described(Name, nameWords, exampleName) })

export const InboxView = z.object({
  id: idOf('inbox'),
  name: described(z.string(), nameWords, exampleName),
})

export const NewInboxDid = z.object({
  did: described(Did, 'Messages that are sent to it come to the inbox', exampleKeyDid),
  jwt: z
    .string()
    .max(10_000)
    .optional()
    .describe(
      'For a DID that is not kept here: signed by a key that authenticates it, with `iss` the DID, `aud` the base URL and `exp` in five minutes at most',
    ),
})

export const RegisteredDid = z.object({
  did: described(z.string(), 'Messages that are sent to it come to the inbox', exampleKeyDid),
})

export const InboxMessageView = z.object({
  id: idOf('inbox message'),
  inboxId: idOf('inbox').describe('The inbox that it is in'),
  name: described(z.string(), 'The DID that the message was sent to', exampleKeyDid),
  createdAt: Timestamp.describe('When it came; later than that of every message before it'),
  payload: described(
    z.looseObject({ ciphertext: z.string().describe('What is encrypted, base64url') }),
    'The message as it came: a JWE',
    exampleJwe,
  ),
})
