import { z } from 'zod'
import { described, idOf, Name, Timestamp } from '../../http/fields.ts'
import { Did, exampleKeyDid } from '../../identifiers/dids/schemas.ts'
import { exampleJwe } from '../messages/schemas.ts'

const nameDescription = 'The display name of the inbox'
const exampleName = 'Admissions'

export const NewInbox = z.object({ name: described(Name, nameDescription, exampleName) })

export const InboxView = z.object({
  id: idOf('inbox'),
  name: described(z.string(), nameDescription, exampleName),
})

export const NewInboxDid = z.object({
  did: described(Did, 'The DID. The inbox receives the messages to it.', exampleKeyDid),
  jwt: z
    .string()
    .max(10_000)
    .optional()
    .describe(
      'Required for a DID whose keys this service does not store. Signed with an authentication key of the DID. `iss` is the DID, `aud` is the base URL, and `exp` is at most five minutes in the future.',
    ),
})

export const RegisteredDid = z.object({
  did: described(z.string(), 'The DID. The inbox receives the messages to it.', exampleKeyDid),
})

export const InboxMessageView = z.object({
  id: idOf('inbox message'),
  inboxId: idOf('inbox').describe('The inbox of the message'),
  name: described(z.string(), 'The DID that the message was sent to', exampleKeyDid),
  createdAt: Timestamp.describe('When the message arrived. Always later than the time of the message before it.'),
  payload: described(
    z.looseObject({ ciphertext: z.string().describe('The ciphertext in base64url') }),
    'The message as it arrived: a JWE',
    exampleJwe,
  ),
})
