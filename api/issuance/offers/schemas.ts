import { z } from 'zod'
import { offerStates } from '../../../db/repos/issuance/listed-offers.ts'
import { longestOfferMs } from '../../../db/tables/issuance/offers.ts'
import {
  ClaimsObject,
  described,
  exampleBaseUrl,
  exampleId,
  idOf,
  named,
  shownIdOf,
  Timestamp,
  unexampled,
} from '../../http/fields.ts'
import { PageQuery } from '../../http/page.ts'
import { checkNames } from './checks.ts'

const aConfiguration = 'the id of a credential configuration, which is a UUID'

const Credentials = z
  .array(z.uuid(`Must be ${aConfiguration}; a type or a name will not do`))
  .min(1, `Must have at least one member: ${aConfiguration}`)
  .max(100)
  .meta({
    description: 'Ids of credential configurations of any profile, from 1 to 100',
    examples: [[exampleId('compact configuration')]],
  })

const By = named(
  'OfferForm',
  'Whether the URI carries the offer or says where it is. A URI that would be too long says where in any case',
  z.enum(['value', 'reference']),
).default('value')

export const SharedOfferRequest = z.object({
  credentials: Credentials,
  by: By,
  request_parameters: z
    .record(z.string().max(100), z.string().max(1000))
    .default({})
    .meta({
      description: 'Passed on to the authentication provider where it lists them in `forwardedRequestParameters`',
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
  'Where people look at it: with a QR code, a link to a wallet, and what has become of it',
  `${exampleBaseUrl}/o/${exampleId('offer')}.${exampleCode}`,
)

export const SharedOfferView = named(
  'SharedOffer',
  'An offer for anybody who signs in',
  z.object({
    uri: described(
      z.string(),
      'For a QR code or a link: wallets open it',
      offerUri({ authorization_code: { issuer_state: 'V1StGXR8_Z5jdHi6B-myT' } }),
    ),
    page: Page,
  }),
)

const ExpiresIn = z
  .object({
    minutes: z.number().int().min(0).max(10).default(0).describe('From 0 to 10'),
    seconds: z.number().int().min(0).max(600).default(0).describe('From 0 to 600, added to the minutes'),
  })
  .transform(({ minutes, seconds }) => (minutes * 60 + seconds) * 1000)
  .refine((ms) => ms > 0 && ms <= longestOfferMs, 'Must be more than nothing and at most 10 minutes')
  .default(5 * 60_000)

export const PreAuthorizedOfferRequest = z.object({
  credentials: Credentials,
  by: By,
  userId: unexampled(idOf('user')).optional().describe('The user it is for; a new one is made when it is absent'),
  claims: described(ClaimsObject.default({}), 'What the credential says, used for this issuance only', {
    given_name: 'Ada',
    family_name: 'Lovelace',
  }),
  claimsToPersist: z
    .array(z.string().max(200))
    .max(1000)
    .default([])
    .describe('Names of claims that the user keeps; none by itself'),
  transactionCodeConfiguration: z
    .object({
      inputMode: z.literal('numeric').default('numeric').describe('The code is digits'),
      description: z.string().max(300).optional().describe('What the wallet tells the holder about the code'),
    })
    .optional()
    .describe('With it, the holder has to type a code of six digits, which is told by another channel'),
  expiresIn: ExpiresIn.describe('How long the offer can be taken, at most 10 minutes; 5 minutes by itself'),
})

export const PreAuthorizedOfferView = z.object({
  id: idOf('offer'),
  userId: idOf('user').describe('The user it is for'),
  uri: described(
    z.string(),
    'For a QR code or a link: wallets open it. Whoever has it can take the offer',
    offerUri({ [preAuthorized]: { 'pre-authorized_code': exampleCode } }),
  ),
  page: Page,
  expiresAt: described(z.number().int(), 'Until when it can be taken, in milliseconds since 1970', 1_795_340_100_000),
  transactionCode: z.string().optional().describe('To be told to the holder by another channel'),
})

const State = named(
  'OfferState',
  '`usable`; `spent`, when its code was exchanged for a token; `claimed`, when a credential was issued of it; `ended`, after three wrong transaction codes or when a second use of its code revoked the token; `expired`. One for anybody stays usable',
  z.enum(offerStates),
)

export const OfferQuery = PageQuery.extend({
  state: State.optional().describe('Those alone that are in this state'),
  configurationId: idOf('compact configuration')
    .optional()
    .describe('Those alone that name this credential configuration'),
  order: named('OfferOrder', 'Which offers are first', z.enum(['oldest', 'newest'])).default('oldest'),
})

const Kind = named(
  'OfferKind',
  'Whether it is for anybody who signs in, or for one user who needs not',
  z.enum(['authorization-code', 'pre-authorized']),
)

export const OfferView = z.object({
  id: shownIdOf('offer'),
  kind: described(Kind, 'Whom it is for', 'pre-authorized'),
  state: described(State, 'What became of it so far', 'usable'),
  credentials: described(z.array(z.string()), 'The ids of its credential configurations', [
    exampleId('compact configuration'),
  ]),
  userId: shownIdOf('user').optional().describe('Whom it is for, where it is for one user'),
  createdAt: Timestamp.describe('When it was made'),
  expiresAt: described(z.number().int(), 'Until when it can be taken, in milliseconds since 1970', 1_795_340_100_000)
    .optional()
    .describe('Until when it can be taken, in milliseconds since 1970; absent where it does not expire'),
  page: Page,
})

export const OfferDetailsView = OfferView.extend({
  uri: described(
    z.string(),
    'For a link: wallets open it',
    offerUri({ [preAuthorized]: { 'pre-authorized_code': exampleCode } }),
  )
    .optional()
    .describe('For a link: wallets open it. As long as a wallet can take it'),
  qr: z.string().optional().describe('What its QR code says: the URI, or where that would be too long, a shorter one'),
  transactionCode: z
    .object({ description: z.string().optional().describe('What the wallet tells the holder about the code') })
    .optional()
    .describe('Present where the holder has to type a code'),
})

const grants = z.object({
  authorization_code: z
    .object({ issuer_state: z.string().describe('The wallet sends it with its authorization request') })
    .optional()
    .describe('The holder signs in'),
  [preAuthorized]: z
    .object({
      'pre-authorized_code': described(z.string(), 'For the token endpoint, once', exampleCode),
      tx_code: z
        .object({
          input_mode: z.literal('numeric').describe('The code is digits'),
          length: z.number().describe('How many'),
          description: z.string().optional().describe('What the wallet tells the holder'),
        })
        .optional()
        .describe('The holder has to type a code'),
    })
    .optional()
    .describe('Whoever has the code gets the credential'),
})

/** OpenID4VCI 1.0, section 4.1.1. `credentials` is what older wallets read. */
export const CredentialOfferView = named(
  'CredentialOffer',
  'An offer, as wallets read it (OpenID4VCI 1.0, section 4.1.1)',
  z.object({
    credential_issuer: described(z.string(), 'The issuer identifier', exampleBaseUrl),
    credential_configuration_ids: described(z.array(z.string()), 'The configurations that are offered', [
      exampleId('compact configuration'),
    ]),
    credentials: described(z.array(z.string()), 'The same, as older wallets read them', [
      exampleId('compact configuration'),
    ]),
    grants: grants.describe('How the wallet gets a token'),
  }),
)

const Check = named(
  'OfferCheck',
  'A check of what a wallet, an identity provider, an interaction hook or a claim source sends; `service` and `request` are of all kinds of requests',
  z.enum(checkNames),
)

export const OfferTimelineView = z.object({
  data: z
    .array(
      z.object({
        at: Timestamp.describe('When it happened'),
        step: described(z.string(), 'What was done', 'token'),
        outcome: described(
          named('Outcome', 'How something ended', z.enum(['success', 'failure'])),
          'How it ended',
          'success',
        ),
        reason: z.string().optional().describe('Which check refused it; never the value of a claim'),
        passed: z
          .array(Check)
          .optional()
          .describe(
            'The checks that it passed, or that it did not need, in their order; absent where nothing is checked',
          ),
        refusedBy: z
          .object({
            check: described(Check, 'What it is called', 'code_verifier'),
            clause: described(z.string(), 'Where a standard asks for it', 'RFC 7636, section 4.6'),
          })
          .optional()
          .meta({ description: 'The check that refused it', examples: [] }),
        requestId: idOf('request').optional().describe('Of the request, as the log and events have it'),
        userId: idOf('user').optional().describe('Whom it was about'),
        sessionId: idOf('session').optional().describe('Of the access token, as webhooks have it'),
        webhookId: unexampled(idOf('webhook')).optional().describe('The webhook that was called'),
        webhookHost: z.string().optional().describe('Where that webhook leads, without its path'),
      }),
    )
    .describe('What happened with the offer, oldest first'),
})
