import { z } from 'zod'
import { keyUseNames } from '../../../shared/domain/identifiers/key-purposes.ts'
import { described, exampleKid, named, Timestamp } from '../../http/fields.ts'

const Purpose = named('KeyPurpose', 'What the key is for', z.enum(keyUseNames))

export const KeyList = z.object({
  data: z
    .array(
      named(
        'Key',
        'A key of the tenant that rotates',
        z.object({
          id: described(z.string(), 'The `kid` of signatures, and the fragment in the DID document', exampleKid),
          purpose: Purpose,
          algorithm: described(z.string(), 'The curve of the key, or what it is used with', 'Ed25519'),
          createdAt: Timestamp.describe('When it was made'),
          retiredAt: described(Timestamp.nullable(), 'When it was replaced; null for a key in use', null),
          publishedUntil: described(
            Timestamp.nullable(),
            'Of a replaced key: until when its public half is published, since what it signed may be valid. Null for good, and for a key in use',
            null,
          ),
        }),
      ),
    )
    .describe('The keys in use, and the replaced ones that are still published'),
})

export const RotatedKey = named(
  'RotatedKey',
  'The key that signs now',
  z.object({
    id: described(z.string(), 'The `kid` of the new key; of several, the first', exampleKid),
  }),
)
export const RotatedWebhookKey = named(
  'RotatedWebhookKey',
  'The key that signs webhooks now',
  z.object({ kid: described(z.string(), 'The `kid` of the new key', exampleKid) }),
)
