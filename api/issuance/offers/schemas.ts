import { z } from 'zod'
import { offerStates } from '../../../db/repos/issuance/offers/listed-offers.ts'
import { maxOfferMs } from '../../../db/tables/issuance/offers.ts'
import { checkNames } from '../../../shared/domain/issuance/checks.ts'
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
  withoutExample,
  YesOrNo,
} from '../../http/fields.ts'
import { PageQuery } from '../../http/page.ts'
import { exampleReference } from './reference.ts'
import { OfferWarnings } from './warning-schemas.ts'

const aConfiguration = 'the id of a credential configuration, which is a UUID'

const Credentials = z
  .array(z.uuid(`Must be ${aConfiguration}. A type or a name is not accepted`))
  .min(1, `Must have at least one entry: ${aConfiguration}`)
  .max(100)
  .meta({
    description: 'Ids of credential configurations of any profile, from 1 to 100',
    examples: [[exampleId('compact configuration')]],
  })

const By = named(
  'OfferForm',
  'Whether the URI contains the offer or references it. A URI that would be too long always references it',
  z.enum(['value', 'reference']),
).default('value')

export const ViewId = withoutExample(idOf('view')).describe(
  'The view of the credential issuer that wallets use. It must publish all configurations of the offer. Absent: see `defaultView` of the settings',
)

const ViewOfOffer = withoutExample(shownIdOf('view'))
  .optional()
  .describe('The view of the credential issuer that wallets use. Absent: the tenant')

export const SharedOfferRequest = z.object({
  credentials: Credentials,
  view: ViewId.optional(),
  by: By,
  label: Label.optional(),
  authorizationServer: withoutExample(z.string().max(2000))
    .optional()
    .describe(
      'The authorization server at which people sign in: the id or the issuer of one of `/v1/openid/authorization-servers`. By default this service itself',
    ),
  request_parameters: z
    .record(z.string().max(100), z.string().max(1000))
    .default({})
    .meta({
      description: 'Forwarded to the authentication provider if it lists them in `forwardedRequestParameters`',
      examples: [{ login_hint: 'ada@example.org' }],
    }),
})

const offerUri = (grants: object) =>
  `openid-credential-offer://?credential_offer=${encodeURIComponent(JSON.stringify({ ...exampleOffer, grants }))}`

const exampleOffer = {
  credential_issuer: exampleBaseUrl,
  credential_configuration_ids: [exampleId('compact configuration')],
}
const exampleCode = 'kq3fWk2mC8u0oYJx1n4bTz7rVh5sLd9eGiPaUyQwXcM'
const preAuthorized = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'

const Page = described(
  z.string(),
  'The page for people: with a QR code, a link to a wallet, and the state of the offer',
  `${exampleBaseUrl}/o/${exampleReference('offer')}`,
)

export const SharedOfferView = named(
  'SharedOffer',
  'An offer for anyone who signs in',
  z.object({
    uri: described(
      z.string(),
      'The URI for a QR code or a link, which wallets open',
      offerUri({ authorization_code: { issuer_state: 'V1StGXR8_Z5jdHi6B-myT' } }),
    ),
    page: Page,
    view: ViewOfOffer,
    warnings: OfferWarnings,
  }),
)

const lifetime = 'Must be between 1 second and 10 minutes: set minutes, seconds or both'

const ExpiresIn = z
  .object({
    minutes: z.number().int().min(0).max(10, lifetime).default(0).describe('From 0 to 10'),
    seconds: z.number().int().min(0).max(600, lifetime).default(0).describe('From 0 to 600, added to the minutes'),
  })
  .transform(({ minutes, seconds }) => (minutes * 60 + seconds) * 1000)
  .refine((ms) => ms > 0 && ms <= maxOfferMs, lifetime)
  .default(5 * 60_000)

export const PreAuthorizedOfferRequest = z.object({
  credentials: Credentials,
  view: ViewId.optional(),
  by: By,
  userId: withoutExample(idOf('user')).optional().describe('The user of the offer. Absent: a new user is created'),
  claims: described(ClaimsObject.default({}), 'The claims of the credential, used for this issuance only', {
    given_name: 'Ada',
    family_name: 'Lovelace',
  }),
  claimsToPersist: z
    .array(z.string().max(200))
    .max(1000)
    .default([])
    .describe('The names of claims to store for the user. Default: none'),
  label: Label.optional(),
  transactionCodeConfiguration: z
    .object({
      inputMode: z.literal('numeric').default('numeric').describe('The code consists of digits'),
      description: z
        .string()
        .max(300)
        .optional()
        .describe('The description of the code that the wallet shows to the holder'),
    })
    .optional()
    .describe('If set, the holder must enter a six-digit code. Send the code through another channel'),
  expiresIn: ExpiresIn.describe('The lifetime of the offer, at most 10 minutes. Default: 5 minutes'),
})

export const PreAuthorizedOfferView = z.object({
  id: idOf('offer'),
  userId: idOf('user').describe('The user of the offer'),
  uri: described(
    z.string(),
    'The URI for a QR code or a link, which wallets open. Anyone who has it can use the offer',
    offerUri({ [preAuthorized]: { 'pre-authorized_code': exampleCode } }),
  ),
  page: Page,
  view: ViewOfOffer,
  expiresAt: described(z.number().int(), 'The expiry in milliseconds since 1970', 1_795_340_100_000),
  transactionCode: z.string().optional().describe('The code to send to the holder through another channel'),
  warnings: OfferWarnings,
})

const State = named(
  'OfferState',
  '`usable`; `spent` after its code was exchanged for a token; `claimed` after a credential was issued; `ended` after three wrong transaction codes, or when a second use of its code revoked the token; `expired`. A shared offer stays usable',
  z.enum(offerStates),
)

export const OfferQuery = PageQuery.extend({
  state: State.optional().describe('Returns only offers in this state'),
  configurationId: idOf('compact configuration')
    .optional()
    .describe('Returns only offers of this credential configuration'),
  userId: idOf('user').optional().describe('Returns only offers of this user. A shared offer has no user'),
  failed: described(
    YesOrNo,
    '`true` returns only offers with a `failure`. Can be combined with the other filters',
    'true',
  )
    .transform((text) => text === 'true')
    .optional(),
  order: named('OfferOrder', 'The order of the offers', z.enum(['oldest', 'newest'])).default('oldest'),
})

const Kind = named(
  'OfferKind',
  'Whether the person signs in. An offer with a sign-in is for anyone, unless a claim link made it',
  z.enum(['authorization-code', 'pre-authorized']),
)

export const OfferCheck = named(
  'OfferCheck',
  'A check of the input of a wallet, an identity provider, an interaction hook or a claim source. `service` and `request` apply to all kinds of requests',
  z.enum(checkNames),
)

const Failure = named(
  'OfferFailure',
  'The failed request after which an offer made no progress',
  z.object({
    at: Timestamp.describe('The time of the failure'),
    check: described(OfferCheck, 'The check that refused the request', 'claims'),
    reason: described(
      z.string(),
      'The reason of the refusal. Never contains the value of a claim',
      'credential_request_denied: There is no value for the claim family_name',
    ),
    requestId: idOf('request').describe('The id of the request in the log, in events and in the timeline'),
  }),
)

export const OfferView = z.object({
  id: shownIdOf('offer'),
  kind: described(Kind, 'The recipients of the offer', 'pre-authorized'),
  state: described(State, 'The current state', 'usable'),
  credentials: described(z.array(z.string()), 'The ids of its credential configurations', [
    exampleId('compact configuration'),
  ]),
  userId: shownIdOf('user').optional().describe('The user of the offer, if it is for one user'),
  view: ViewOfOffer,
  label: Label.optional(),
  createdAt: Timestamp.describe('The time of its creation'),
  expiresAt: described(z.number().int(), 'The expiry in milliseconds since 1970', 1_795_340_100_000)
    .optional()
    .describe('The expiry in milliseconds since 1970. Absent if the offer does not expire'),
  failure: Failure.optional().meta({
    description:
      'The last failed request of a pre-authorized offer. Absent after a later request succeeded. Appears about one second after the request',
    examples: [],
  }),
  page: Page.optional().describe(
    'The page for people: with a QR code, a link to a wallet, and the state of the offer. Absent if the roles of the caller do not show secret addresses',
  ),
})

export const ShownTransactionCode = named(
  'TransactionCodeSettings',
  'How the wallet asks for a transaction code',
  z.object({
    description: z.string().optional().describe('The description of the code that the wallet shows to the holder'),
  }),
)

export const OfferDetailsView = OfferView.extend({
  uri: described(
    z.string(),
    'The URI for a link, which wallets open',
    offerUri({ [preAuthorized]: { 'pre-authorized_code': exampleCode } }),
  )
    .optional()
    .describe(
      'The URI for a link, which wallets open. Present while the offer is usable, if the roles of the caller show secret addresses',
    ),
  qr: z.string().optional().describe('The text of its QR code: the URI, or a shorter URI if it is too long'),
  transactionCode: ShownTransactionCode.optional().describe('Present if the holder must enter a code'),
})

const OfferedServer = described(
  z.string(),
  'The issuer of the authorization server to use. Only if the metadata has several',
  exampleBaseUrl,
)

const grants = z.object({
  authorization_code: z
    .object({
      issuer_state: z.string().describe('The wallet sends it with its authorization request'),
      authorization_server: OfferedServer.optional(),
    })
    .optional()
    .describe('For a sign-in of the holder'),
  [preAuthorized]: z
    .object({
      'pre-authorized_code': described(z.string(), 'The code for the token endpoint, valid once', exampleCode),
      tx_code: z
        .object({
          input_mode: z.literal('numeric').describe('The code consists of digits'),
          length: z.number().describe('The number of digits'),
          description: z.string().optional().describe('The description that the wallet shows to the holder'),
        })
        .optional()
        .describe('Present if the holder must enter a code'),
      authorization_server: OfferedServer.optional(),
    })
    .optional()
    .describe('For a code that anyone who has it can redeem'),
})

/** OpenID4VCI 1.0, section 4.1.1. Older wallets read `credentials`. */
export const CredentialOfferView = named(
  'CredentialOffer',
  'An offer in the form for wallets (OpenID4VCI 1.0, section 4.1.1)',
  z.object({
    credential_issuer: described(z.string(), 'The issuer identifier', exampleBaseUrl),
    credential_configuration_ids: described(z.array(z.string()), 'The offered configurations', [
      exampleId('compact configuration'),
    ]),
    credentials: described(z.array(z.string()), 'The same ids, for older wallets', [
      exampleId('compact configuration'),
    ]),
    grants: grants.describe('The grants by which the wallet can get a token'),
  }),
)
