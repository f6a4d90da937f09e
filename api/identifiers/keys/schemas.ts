import { z } from 'zod'
import { keyUseNames } from '../../../shared/domain/identifiers/key-purposes.ts'
import { described, exampleKid, named, Timestamp } from '../../http/fields.ts'

const Purpose = named('KeyPurpose', 'The purpose of a key', z.enum(keyUseNames))

export const KeyList = z.object({
  data: z
    .array(
      named(
        'Key',
        'A key of the tenant',
        z.object({
          id: described(z.string(), 'The `kid` of signatures and the fragment in the DID document', exampleKid),
          purpose: Purpose,
          algorithm: described(z.string(), 'The curve or the algorithm of the key', 'Ed25519'),
          createdAt: Timestamp.describe('When it was created'),
          retiredAt: described(Timestamp.nullable(), 'When it was replaced. Null for a key in use.', null),
          publishedUntil: described(
            Timestamp.nullable(),
            'Until when the public key of a replaced key is published. Null for a key in use, and if it is published permanently.',
            null,
          ),
        }),
      ),
    )
    .describe('The keys in use, and replaced keys that are still published'),
})

export const RotatedKey = named(
  'RotatedKey',
  'The new key',
  z.object({
    id: described(
      z.string(),
      'The `kid` of the new key. For several new keys, the `kid` of the first one.',
      exampleKid,
    ),
  }),
)
export const RotatedWebhookKey = named(
  'RotatedWebhookKey',
  'The new key for webhooks',
  z.object({ kid: described(z.string(), 'The `kid` of the new key', exampleKid) }),
)
