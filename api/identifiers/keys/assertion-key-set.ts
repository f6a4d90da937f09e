import { z } from 'zod'
import { findPublishedKeys, tenantOwner } from '../../../db/repos/identifiers/keys.ts'
import { assertionKeySetPath } from '../../../shared/domain/identifiers/client-assertions.ts'
import { described, exampleKid, named } from '../../http/fields.ts'
import { anyone, defineRoute } from '../../http/route.ts'

const Jwk = z.object({
  kty: described(z.string(), 'The key type', 'EC'),
  crv: described(z.string(), 'The curve', 'P-256'),
  x: described(z.string(), 'The x coordinate, base64url', 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU'),
  y: described(z.string(), 'The y coordinate, base64url', 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0'),
  use: z.literal('sig').describe('The use of the key'),
  alg: z.literal('ES256').describe('The algorithm of the signatures'),
  kid: described(z.string(), 'The id of the key', exampleKid),
})

const KeySet = z.object({
  keys: z
    .array(named('ClientAssertionJwk', 'A public key that verifies client assertions (RFC 7523)', Jwk))
    .describe('The current key, and replaced keys for a day. Empty until a provider is set to `private_key_jwt`'),
})

export const assertionKeyRoutes = [
  defineRoute({
    operation: 'retrieveClientAssertionKeys',
    summary: 'The keys by which this service authenticates to sign-in providers with `private_key_jwt`',
    tag: 'Authentication providers',
    method: 'GET',
    path: assertionKeySetPath,
    host: 'either',
    access: anyone,
    status: 200,
    response: KeySet,
    // A new key signs at once. A provider that reads the keys again must not get an old cached response.
    representations: { maxAgeSeconds: 0, etag: 'bytes', cors: true },
    async handle({ tenantId, deps }) {
      const keys = await findPublishedKeys(deps.db.read, tenantId, tenantOwner, 'client-assertion', deps.clock.now())
      return { keys: keys.map(({ id, publicJwk }) => ({ ...publicJwk, use: 'sig', alg: 'ES256', kid: id })) }
    },
  }),
]
