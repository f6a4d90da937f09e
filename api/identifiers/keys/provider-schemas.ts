import { z } from 'zod'
import { described, exampleKid, named, shownIdOf, Timestamp } from '../../http/fields.ts'
import { KeyProviderName } from '../../tenancy/tenants/key-provider.ts'
import { KeyPartName } from './schemas.ts'

const KeyProvider = named(
  'KeyProvider',
  'Where private keys can be',
  z.object({
    name: KeyProviderName,
    isAvailable: described(z.boolean(), 'Whether it answers each signing process', true),
    algorithms: described(z.array(z.string()), 'The algorithms of the keys that it can have', ['ES256', 'Ed25519']),
  }),
)

export const KeyProviders = z.object({
  data: z
    .array(KeyProvider)
    .describe('`software`, which is always there, and the providers of running signing processes'),
  default: KeyProviderName.describe('The provider of tenants without `keys.default`'),
  requireHardware: z
    .array(KeyPartName)
    .describe('The parts whose keys must not be in the database. No tenant can weaken it'),
})

const count = (what: string) => described(z.number().int(), what, 0)

const KeyComparison = named(
  'KeyComparison',
  'The comparison of the keys of all tenants with the private keys of a provider',
  z.object({
    provider: KeyProviderName,
    comparedAt: Timestamp.describe('When it was made. A signing process makes one every ten minutes'),
    isComplete: described(z.boolean(), 'False if the provider has too many keys to compare them', true),
    keys: count('The number of keys of tenants that are in the provider'),
    keysInProvider: count('The number of private keys that the provider has, with those of other programs'),
    missing: z
      .object({
        count: count('The number of keys whose private key the provider does not have. Signatures with them fail'),
        first: z
          .array(
            z.object({
              tenantId: shownIdOf('tenant'),
              keyId: described(z.string(), 'The id of the key', exampleKid),
            }),
          )
          .describe('The first of them, at most 20'),
      })
      .describe('The keys without a private key'),
    unused: z
      .object({
        count: count('The number of private keys that no key of a tenant has named for an hour, at most 1000'),
        first: described(z.array(z.string()), 'The names of the first of them in the provider, at most 20', []),
      })
      .describe('The private keys that an interrupted creation of a key has left'),
  }),
)

export const KeyComparisons = z.object({
  data: z.array(KeyComparison).describe('One for each provider besides the database'),
})

export const DestroyedKeys = named(
  'DestroyedKeys',
  'The result of the destruction of unused private keys',
  z.object({
    destroyed: count('The number of private keys that were destroyed'),
    refused: count('The number of private keys that the provider refused to destroy'),
    left: count('The number of unused private keys that are left'),
  }),
)
