import { z } from 'zod'
import { parseClaimPath } from '../../../shared/formats/claim-path.ts'
import { ClaimsObject, described, idOf, Name, named, secret } from '../../http/fields.ts'
import { kept } from '../../http/kept.ts'

/** Characters that a header can contain unescaped. */
const ApiKey = z.string().regex(/^[\x21-\x7e]{1,2000}$/, 'Must be printable ASCII without spaces')

/** RFC 6749, appendix A.1 and A.2. */
const Printable = z.string().regex(/^[\x20-\x7e]{1,2000}$/, 'Must be printable ASCII')

const ClientCredentials = z.object({
  tokenUrl: described(
    z.string().max(2000),
    'The token endpoint, called with `grant_type=client_credentials`',
    'https://login.example.org/token',
  ),
  clientId: described(Printable, 'The client id of this service at the token endpoint', 'trustwright'),
  clientSecret: secret(described(Printable, 'The client secret that belongs to `clientId`', 'a-secret-of-the-source')),
  scope: z
    .string()
    .regex(/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/, 'Must be scope values with single spaces')
    .max(2000)
    .exactOptional()
    .describe('The requested scopes, separated by spaces'),
})

/** The full authorization, stored sealed. */
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
    'An access token that is requested with a client secret (RFC 6749, section 4.4)',
    z.object({
      type: z.literal('oauth-client-credentials').describe('An access token'),
      value: named('ClientCredentials', 'How the token is requested', ClientCredentials),
    }),
  ),
])

export type Authorization = z.output<typeof Authorization>

const RequestParameter = named(
  'RequestParameter',
  'The value of a request parameter',
  z.object({
    mapFrom: z
      .string()
      .refine((text) => parseClaimPath(text) !== undefined, 'Must be a path such as claims.email')
      .exactOptional()
      .describe('The path of the value, such as `claims.email` or `authenticationProvider.subjectId`'),
    defaultValue: z.string().max(10_000).exactOptional().describe('Used if `mapFrom` yields no value'),
  }),
).refine(({ mapFrom, defaultValue }) => mapFrom !== undefined || defaultValue !== undefined, {
  message: 'Set mapFrom or defaultValue',
})

const requestParameters = z
  .record(z.string().min(1).max(200), RequestParameter)
  .refine((parameters) => Object.keys(parameters).length <= 100, 'A claim source can have at most 100 parameters')
  .default({})
  .meta({
    description: 'The parameters of the request: in the query of a GET, in the JSON body of a POST. At most 100',
    examples: [{ email: { mapFrom: 'claims.email' } }],
  })

/** The value of a new source. */
export const defaultOnFailure = 'refuse'

const OnFailure = named(
  'OnClaimSourceFailure',
  'What happens if the source fails: an error status, no JSON object, or no answer within 3 seconds. `refuse`: the credential is refused if a mapped claim has no value from the offer, the interaction or the user. `issue`: the credential is refused only if a required claim has no value',
  z.enum(['refuse', 'issue']),
)

const shared = {
  name: described(Name, 'The name shown to operators', 'Student register'),
  url: described(
    z.string().max(2000),
    'The URL that is called when a credential is issued. It must answer with a JSON object within 3 seconds',
    'https://register.example.org/students',
  ),
  requestParameters,
  requestMethod: named('RequestMethod', 'The HTTP method of the request', z.enum(['GET', 'POST'])).default('GET'),
}

export const NewClaimSource = z.object({
  ...shared,
  onFailure: OnFailure.default(defaultOnFailure),
  authorization: Authorization.describe('How this service authenticates to the source'),
})

export type NewClaimSource = z.output<typeof NewClaimSource>

export const ClaimSourceBody = NewClaimSource.extend({ onFailure: kept(OnFailure) })

export type ClaimSourceBody = z.output<typeof ClaimSourceBody>

export const ClaimSourceView = z.object({
  id: idOf('claim source'),
  ...shared,
  onFailure: OnFailure,
  authorization: described(
    Authorization,
    'Key and secret are masked. Of a secret with at least 20 characters, the last five are shown. Send the masked value to keep the stored secret. A new secret is required if `url` or `tokenUrl` changes to another origin',
    { type: 'api-key', value: '********ource' },
  ),
})

export const ClaimSourceUser = z.object({
  claims: ClaimsObject.default({}).describe('The known claims of the person, for `mapFrom` such as `claims.email`'),
  authenticationProvider: z
    .object({
      url: described(z.string().max(2000), 'The issuer', 'https://login.example.org').exactOptional(),
      subjectId: described(z.string().max(2000), 'The subject of the person at the provider', 'ada').exactOptional(),
    })
    .default({})
    .describe('The sign-in of the person, for `mapFrom` such as `authenticationProvider.subjectId`'),
})

export const ClaimSourceTestView = z.object({
  works: described(z.boolean(), 'Whether the source answered with claims', true),
  message: described(z.string(), 'The result of the test', 'The source answered with 2 claims'),
  claims: ClaimsObject.optional().describe('The claims of the answer. Absent if the test failed'),
})
