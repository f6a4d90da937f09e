import { z } from 'zod'
import { maxIndexedClaims } from '../../../db/repos/issuance/users/claim-terms.ts'
import {
  ClaimsObject,
  described,
  exampleBaseUrl,
  exampleId,
  idOf,
  Label,
  named,
  shownIdOf,
  Timestamp,
  withoutControls,
  withoutExample,
} from '../../http/fields.ts'
import { CursorText } from '../../http/page.ts'
import { CredentialProfileSchema, CredentialStatusSchema, SignerId } from '../../status/credential-schemas.ts'

/** Identifiers at a provider. PostgreSQL cannot store U+0000 in text, and identifiers need no control characters. */
const Identifier = z.string().min(1).max(500).regex(withoutControls(), 'Must not contain control characters')

const exampleClaims = { given_name: 'Ada', family_name: 'Lovelace', email: 'ada@example.org' }
const exampleProvider = exampleId('authentication provider')

const ProviderSubject = named(
  'ProviderSubject',
  'The subject of the person at an authentication provider',
  z.object({
    providerId: z.string().max(200).describe('The id of an authentication provider'),
    subjectId: Identifier.describe('The subject of the person: `sub` of its ID tokens'),
  }),
)

export const NewUser = z.object({
  claims: described(
    ClaimsObject,
    `The claims of the person, which credentials can contain. At most ${maxIndexedClaims} values. Each object counts as one more value`,
    exampleClaims,
  ).optional(),
  authenticationProvider: withoutExample(ProviderSubject).optional(),
  label: Label.optional(),
})

export const UserChanges = NewUser.extend({
  claims: NewUser.shape.claims.unwrap().default({}),
  authenticationProvider: withoutExample(ProviderSubject)
    .optional()
    .describe('The subject of the person at an authentication provider. Absent: unchanged'),
  label: Label.nullable()
    .optional()
    .describe('Your own reference, such as a customer number. It is never issued. Absent or null: no label'),
})

/** The maximum number of criteria. Each one costs every page a lookup. */
const maxCriteria = 20

/** The maximum number of ids in a search. */
const maxIds = 100

export const UserSearch = z.object({
  claims: described(
    ClaimsObject.refine((claims) => leavesOf(claims) <= maxCriteria, `Must have at most ${maxCriteria} values`),
    `Values that the claims of a user must have. Objects are compared by member, all other values must be equal. At most ${maxCriteria} values. Needs a role that shows claims`,
    { family_name: 'Lovelace' },
  ).optional(),
  authenticationProvider: z
    .object({
      providerId: Identifier.optional().describe('The id of an authentication provider'),
      subjectId: Identifier.optional().describe('The subject of the person at the provider'),
    })
    .optional()
    .describe('The sign-in of the user'),
  label: Label.optional().describe('The label of the user. Capital and small letters of ASCII are equal'),
  ids: z
    .array(idOf('user'))
    .min(1)
    .max(maxIds)
    .optional()
    .meta({ description: `The ids of the users, at most ${maxIds}. They are on one page`, examples: [] }),
  withClaims: z
    .boolean()
    .default(true)
    .describe('`false` returns users without their claims, so that a search does not expose personal data'),
  limit: z.int().min(1).max(1000).default(100).describe('The maximum number of users on a page, from 1 to 1000'),
  cursor: CursorText.optional().describe('The `nextCursor` of the previous page'),
})

const SignedInAt = named(
  'SignedInAt',
  'The sign-in of a person',
  z.object({
    providerId: described(z.string(), 'The id of the authentication provider', exampleProvider),
    url: z.string().optional().describe('Its issuer'),
    subjectId: described(z.string(), 'The subject of the person at the provider', 'ada'),
  }),
)

export const UserView = z.object({
  id: shownIdOf('user'),
  claims: described(
    ClaimsObject,
    'The claims of the person. Empty if the roles of the caller do not show claims',
    exampleClaims,
  ),
  authenticationProvider: SignedInAt.optional().meta({ description: 'The sign-in of the person', examples: [] }),
  label: Label.optional(),
})

export const FoundUserView = UserView.extend({
  claims: described(ClaimsObject, 'The claims of the person', exampleClaims)
    .optional()
    .describe(
      'The claims of the person. Absent if the search has `withClaims: false`, or if the roles of the caller do not show claims',
    ),
})

const ElementDigest = named(
  'ElementDigest',
  'The digest of an element',
  z.object({
    digestID: z.int().describe('The `digestID` in the mobile security object'),
    digest: z.string().describe('SHA-256 of the signed element, base64url'),
  }),
)

export const CredentialRecordView = z.object({
  id: shownIdOf('credential'),
  type: described(
    z.string(),
    'The type of the credential. For a mobile credential, the document type',
    'CourseCertificate',
  ),
  profile: CredentialProfileSchema,
  offerId: shownIdOf('offer').optional().describe('The offer of the credential'),
  sessionId: shownIdOf('session').describe('The id of the access token in webhooks'),
  credentialConfigurationId: shownIdOf('compact configuration').describe('The configuration of the credential'),
  devicePublicKey: described(
    z.record(z.string(), z.unknown()),
    'The holder key to which the credential is bound, as JWK. Absent: it is not bound to a key',
    {
      kty: 'OKP',
      crv: 'Ed25519',
      x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
    },
  ).optional(),
  namespaces: z
    .record(z.string(), z.record(z.string(), ElementDigest))
    .optional()
    .describe('Only for mobile credentials: the digest of each element, by namespace'),
  msoHash: z
    .string()
    .optional()
    .describe('Only for mobile credentials: SHA-256 of the mobile security object, base64url'),
  issuedDate: Timestamp.describe('The time of the issuance'),
  validFrom: Timestamp.describe('The start of its validity'),
  validUntil: Timestamp.optional().describe('The end of its validity. Absent: no end'),
  signerId: SignerId.optional().describe(
    'The document signer, the SD-JWT signer or the key of the DID that signed it. Absent: it was issued before version 0.1',
  ),
  view: shownIdOf('view')
    .optional()
    .describe('The view through which the wallet collected it. Absent: the issuer of the tenant itself'),
  status: CredentialStatusSchema.describe('The current status'),
})

/** The same with the user of the credential. */
export const IssuedCredentialView = CredentialRecordView.extend({
  isRevocable: described(z.boolean(), 'Whether it is on a status list, so that its status can be changed', true),
  userId: shownIdOf('user').describe('The user of the credential'),
})

/** The rows have other members for each part, and for each kind of credential. */
export const UserExportView = z.object({
  userId: shownIdOf('user'),
  issuer: described(z.string(), 'The base URL of the tenant', exampleBaseUrl),
  exportedAt: Timestamp.describe('The time of the export'),
  data: described(
    z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
    'The data about the person: a list for each part, such as `person`, `offers`, `signIns`, `credentials` and `events`',
    { person: [{ id: exampleId('user'), claims: exampleClaims }], offers: [] },
  ),
})

function leavesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 1
  const members = Object.values(value)
  return members.length === 0 ? 1 : members.reduce((sum: number, each) => sum + leavesOf(each), 0)
}
