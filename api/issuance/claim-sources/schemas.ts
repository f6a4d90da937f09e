import { z } from 'zod'
import { parseClaimPath } from '../../../shared/formats/claim-path.ts'
import { ClaimsObject, described, idOf, Name, named, secret } from '../../http/fields.ts'

/** What can stand in a header as it is. */
const ApiKey = z.string().regex(/^[\x21-\x7e]{1,2000}$/, 'Must be printable ASCII without spaces')

/** RFC 6749, appendix A.1 and A.2. */
const Printable = z.string().regex(/^[\x20-\x7e]{1,2000}$/, 'Must be printable ASCII')

const ClientCredentials = z.object({
  tokenUrl: described(
    z.string().max(2000),
    'The token endpoint, asked with `grant_type=client_credentials`',
    'https://login.example.org/token',
  ),
  clientId: described(Printable, 'Who this service is there', 'trustwright'),
  clientSecret: secret(described(Printable, 'The secret that belongs to `clientId`', 'a-secret-of-the-source')),
  scope: z
    .string()
    .regex(/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/, 'Must be scope values with single spaces')
    .max(2000)
    .exactOptional()
    .describe('What is asked for, separated by spaces'),
})

/** With everything in it; stored sealed. */
export const Authorization = z.discriminatedUnion('type', [
  named(
    'ApiKeyAuthorization',
    'A key that is sent with each request',
    z.object({
      type: z.literal('api-key').describe('A key in a header'),
      value: secret(described(ApiKey, 'Sent as `x-api-key`', 'a-key-of-the-source')),
    }),
  ),
  named(
    'ClientCredentialsAuthorization',
    'An access token that is asked for with a secret (RFC 6749, section 4.4)',
    z.object({
      type: z.literal('oauth-client-credentials').describe('An access token'),
      value: named('ClientCredentials', 'How the token is asked for', ClientCredentials),
    }),
  ),
])

export type Authorization = z.output<typeof Authorization>

const RequestParameter = named(
  'RequestParameter',
  'What a parameter has in it',
  z.object({
    mapFrom: z
      .string()
      .refine((text) => parseClaimPath(text) !== undefined, 'Must be a path such as claims.email')
      .exactOptional()
      .describe('Where the value is, such as `claims.email` or `authenticationProvider.subjectId`'),
    defaultValue: z.string().max(10_000).exactOptional().describe('Taken when `mapFrom` leads to nothing'),
  }),
).refine(({ mapFrom, defaultValue }) => mapFrom !== undefined || defaultValue !== undefined, {
  message: 'Needs mapFrom or defaultValue',
})

const requestParameters = z
  .record(z.string().min(1).max(200), RequestParameter)
  .refine((parameters) => Object.keys(parameters).length <= 100, 'More than 100 parameters')
  .default({})
  .meta({
    description: 'What the source is told: in the query of a GET, in the JSON body of a POST; at most 100',
    examples: [{ email: { mapFrom: 'claims.email' } }],
  })

const shared = {
  name: described(Name, 'What people call it', 'Student register'),
  url: described(
    z.string().max(2000),
    'Where claims are asked for while a credential is issued; it answers with a JSON object within 3 seconds',
    'https://register.example.org/students',
  ),
  requestParameters,
  requestMethod: named('RequestMethod', 'How it is asked', z.enum(['GET', 'POST'])).default('GET'),
}

export const ClaimSourceBody = z.object({
  ...shared,
  authorization: Authorization.describe('How the source knows who asks'),
})

export type ClaimSourceBody = z.output<typeof ClaimSourceBody>

export const ClaimSourceView = z.object({
  id: idOf('claim source'),
  ...shared,
  authorization: described(
    Authorization,
    'Key and secret are masked; of at least 20 characters the last five are shown; sent back so, they stay; needed where `url` or `tokenUrl` changes to another origin',
    { type: 'api-key', value: '********ource' },
  ),
})

export const ClaimSourceUser = z.object({
  claims: ClaimsObject.default({}).describe('What is known of the person, for `mapFrom` such as `claims.email`'),
  authenticationProvider: z
    .object({
      url: described(z.string().max(2000), 'The issuer', 'https://login.example.org').exactOptional(),
      subjectId: described(z.string().max(2000), 'Who the person is there', 'ada').exactOptional(),
    })
    .default({})
    .describe('Where the person has signed in, for `mapFrom` such as `authenticationProvider.subjectId`'),
})

export const ClaimSourceTestView = z.object({
  works: described(z.boolean(), 'Whether the source answered with claims', true),
  message: described(z.string(), 'What was found', 'The source answered with 2 claims'),
  claims: ClaimsObject.optional().describe('What it answered; absent where it does not work'),
})
