import { z } from 'zod'
import { keyUseNames } from '../../../shared/key-purposes.ts'
import { Timestamp } from '../../http/fields.ts'

export const KeyList = z.object({
  data: z.array(
    z.object({
      id: z.string().describe('The `kid` of signatures, and the fragment in the DID document'),
      purpose: z.enum(keyUseNames),
      algorithm: z.string(),
      createdAt: Timestamp,
      retiredAt: Timestamp.nullable().describe('When it was replaced; null for a key in use'),
      publishedUntil: Timestamp.nullable().describe(
        'Of a replaced key: until when its public half is published, since what it signed may be valid. Null for good, and for a key in use',
      ),
    }),
  ),
})

export const RotatedKey = z.object({ id: z.string().describe('Of the new key; of several, the first') })
export const RotatedWebhookKey = z.object({ kid: z.string() })
