import { z } from 'zod'
import { keyParts } from '../../../shared/domain/identifiers/key-policy.ts'
import { keyUseNames } from '../../../shared/domain/identifiers/key-purposes.ts'
import { described, exampleKid, named, shownIdOf, Timestamp } from '../../http/fields.ts'
import { KeyProviderName } from '../../tenancy/tenants/key-provider.ts'

const Purpose = named('KeyPurpose', 'The purpose of a key', z.enum(keyUseNames))

const Algorithm = described(z.string(), 'The curve or the algorithm of the key', 'Ed25519')

export const KeyList = z.object({
  data: z
    .array(
      named(
        'Key',
        'A key of the tenant',
        z.object({
          id: described(z.string(), 'The `kid` of signatures and the fragment in the DID document', exampleKid),
          purpose: Purpose,
          algorithm: Algorithm,
          provider: KeyProviderName.describe('Where the private key is'),
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

export const KeyPartName = named('KeyPart', 'A part of the policy of keys', z.enum(keyParts))

const inventoryPurposes = [...keyUseNames, 'did', 'certificate'] as const

/** A key of a tenant, of one of its DIDs or of one of its certificates. The private key and its name in the provider are not shown. */
export const InventoryKey = named(
  'InventoryKey',
  'A key of the tenant, of one of its DIDs or of one of its certificates',
  z.object({
    id: described(z.string(), 'The id of the key', exampleKid),
    purpose: described(
      named('InventoryKeyPurpose', 'The purpose of a key of the inventory', z.enum(inventoryPurposes)),
      'The purpose of the key. `did`: it signs for one of the DIDs of the tenant, besides its own DID. `certificate`: it has a certificate',
      'credentials',
    ),
    part: described(KeyPartName, 'The part of the policy of keys that decides about new keys of this kind', 'dids'),
    owner: z
      .object({
        kind: described(
          z.enum(['tenant', 'did', 'certificate', 'access-certificate']),
          'What the key belongs to',
          'tenant',
        ),
        id: shownIdOf('owner of a key').optional().describe('The id of the DID or of the certificate'),
      })
      .describe('What the key belongs to'),
    algorithm: Algorithm,
    provider: KeyProviderName.describe('Where the private key is'),
    createdAt: Timestamp.describe('When it was created'),
    retiredAt: described(
      Timestamp.nullable(),
      'When it was replaced, or when a key in a device was destroyed with the end of its certificate. Null for a key in use.',
      null,
    ),
  }),
)
