import { z } from 'zod'
import { parseClaimPath } from '../../../shared/formats/claim-path.ts'
import { Name, secret } from '../../http/fields.ts'

/** What can stand in a header as it is. */
const ApiKey = z.string().regex(/^[\x21-\x7e]{1,2000}$/, 'Must be printable ASCII without spaces')

/** RFC 6749, appendix A.1 and A.2. */
const Printable = z.string().regex(/^[\x20-\x7e]{1,2000}$/, 'Must be printable ASCII')

const ClientCredentials = z.object({
  tokenUrl: z.string().max(2000).describe('The token endpoint, asked with `grant_type=client_credentials`'),
  clientId: Printable,
  clientSecret: secret(Printable),
  scope: z
    .string()
    .regex(/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/, 'Must be scope values with single spaces')
    .max(2000)
    .exactOptional(),
})

/** With everything in it; stored sealed. */
export const Authorization = z.discriminatedUnion('type', [
  z.object({ type: z.literal('api-key'), value: secret(ApiKey.describe('Sent as `x-api-key`')) }),
  z.object({ type: z.literal('oauth-client-credentials'), value: ClientCredentials }),
])

export type Authorization = z.output<typeof Authorization>

const RequestParameter = z
  .object({
    mapFrom: z
      .string()
      .refine((text) => parseClaimPath(text) !== undefined, 'Must be a path such as claims.email')
      .exactOptional()
      .describe('`claims.email`, `authenticationProvider.subjectId`'),
    defaultValue: z.string().max(10_000).exactOptional().describe('Taken when `mapFrom` leads to nothing'),
  })
  .refine(({ mapFrom, defaultValue }) => mapFrom !== undefined || defaultValue !== undefined, {
    message: 'Needs mapFrom or defaultValue',
  })

const requestParameters = z
  .record(z.string().min(1).max(200), RequestParameter)
  .refine((parameters) => Object.keys(parameters).length <= 100, 'More than 100 parameters')
  .default({})
  .describe('What the source is told: in the query of a GET, in the JSON body of a POST')

const shared = {
  name: Name,
  url: z.string().max(2000),
  requestParameters,
  requestMethod: z.enum(['GET', 'POST']).default('GET'),
}

export const ClaimSourceBody = z.object({ ...shared, authorization: Authorization })

export type ClaimSourceBody = z.output<typeof ClaimSourceBody>

export const ClaimSourceView = z.object({
  id: z.string(),
  ...shared,
  authorization: Authorization.describe(
    'Key and secret are masked but for the last five characters; sent back so, they stay; needed where `url` or `tokenUrl` changes to another origin',
  ),
})
