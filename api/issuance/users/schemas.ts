import { z } from 'zod'
import { mostIndexedClaims } from '../../../db/repos/issuance/claim-terms.ts'
import {
  ClaimsObject,
  described,
  exampleId,
  named,
  shownIdOf,
  Timestamp,
  unexampled,
  withoutControls,
} from '../../http/fields.ts'
import { CursorText } from '../../http/page.ts'
import { CredentialProfileSchema, CredentialStatusSchema } from '../../status/credential-schemas.ts'

/** Names at a provider. PostgreSQL cannot keep U+0000 in text, and no identifier needs control characters. */
const Identifier = z.string().min(1).max(500).regex(withoutControls(), 'Must not hold control characters')

const exampleClaims = { given_name: 'Ada', family_name: 'Lovelace', email: 'ada@example.org' }
const exampleProvider = exampleId('authentication provider')

const ProviderSubject = named(
  'ProviderSubject',
  'Who the person is at an authentication provider',
  z.object({
    providerId: z.string().max(200).describe('The id of an authentication provider'),
    subjectId: Identifier.describe('Who the person is there: `sub` of its ID tokens'),
  }),
)

export const NewUser = z.object({
  claims: described(
    ClaimsObject,
    `What is known of the person, which credentials can say. At most ${mostIndexedClaims} values, where each object counts as one more`,
    exampleClaims,
  ).optional(),
  authenticationProvider: unexampled(ProviderSubject).optional(),
})

export const UserChanges = NewUser.extend({
  claims: NewUser.shape.claims.unwrap().default({}),
  authenticationProvider: unexampled(ProviderSubject)
    .optional()
    .describe('Who the person is at an authentication provider. Left out: it stays'),
})

/** How many values a search may name: each costs every page a look-up. */
const mostCriteria = 20

export const UserSearch = z.object({
  claims: described(
    ClaimsObject.refine((claims) => leavesOf(claims) <= mostCriteria, `Must not name more than ${mostCriteria} values`),
    `Values that the claims of a user have; objects are compared member by member, everything else must be equal. At most ${mostCriteria} values`,
    { family_name: 'Lovelace' },
  ).optional(),
  authenticationProvider: z
    .object({
      providerId: Identifier.optional().describe('The id of an authentication provider'),
      subjectId: Identifier.optional().describe('Who the person is there'),
    })
    .optional()
    .describe('Who signed in there'),
  withClaims: z
    .boolean()
    .default(true)
    .describe('`false` for users without their claims: to find a person, nobody has to read what is known of others'),
  limit: z.int().min(1).max(1000).default(100).describe('How many users a page has at most, from 1 to 1000'),
  cursor: CursorText.optional().describe('The `nextCursor` of the page before'),
})

const SignedInAt = named(
  'SignedInAt',
  'Where a person signed in',
  z.object({
    providerId: described(z.string(), 'The id of the authentication provider', exampleProvider),
    url: z.string().optional().describe('Its issuer'),
    subjectId: described(z.string(), 'Who the person is there', 'ada'),
  }),
)

export const UserView = z.object({
  id: shownIdOf('user'),
  claims: described(ClaimsObject, 'What is known of the person', exampleClaims),
  authenticationProvider: SignedInAt.optional().meta({ description: 'Where the person signed in', examples: [] }),
})

export const FoundUserView = UserView.extend({
  claims: described(ClaimsObject, 'What is known of the person', exampleClaims)
    .optional()
    .describe('What is known of the person; absent where the search is `withClaims: false`'),
})

const ElementDigest = named(
  'ElementDigest',
  'The digest of an element',
  z.object({
    digestID: z.int().describe('Which digest of the mobile security object it is'),
    digest: z.string().describe('SHA-256 of the element as it was signed, base64url'),
  }),
)

export const CredentialRecordView = z.object({
  id: shownIdOf('credential'),
  type: described(z.string(), 'Its type; of a mobile credential the document type', 'CourseCertificate'),
  profile: CredentialProfileSchema,
  offerId: shownIdOf('offer').optional().describe('The offer that it was issued for'),
  sessionId: shownIdOf('session').describe('The access token that it was collected with, as webhooks have it'),
  credentialConfigurationId: shownIdOf('compact configuration').describe('What it was made by'),
  devicePublicKey: described(z.record(z.string(), z.unknown()), 'The key of the holder that it is bound to, as JWK', {
    kty: 'OKP',
    crv: 'Ed25519',
    x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  }),
  namespaces: z
    .record(z.string(), z.record(z.string(), ElementDigest))
    .optional()
    .describe('Of mobile credentials: the digest of each element, by namespace'),
  msoHash: z.string().optional().describe('Of mobile credentials: SHA-256 of the mobile security object, base64url'),
  issuedDate: Timestamp.describe('When it was issued'),
  validFrom: Timestamp.describe('From when it is valid'),
  validUntil: Timestamp.optional().describe('Until when it is valid; absent: without an end'),
  status: CredentialStatusSchema.describe('How it stands now'),
})

/** The same beyond the user that it was issued to. */
export const IssuedCredentialView = CredentialRecordView.extend({
  userId: shownIdOf('user').describe('Whom it was issued to'),
})

function leavesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 1
  const members = Object.values(value)
  return members.length === 0 ? 1 : members.reduce((sum: number, each) => sum + leavesOf(each), 0)
}
