import { z } from 'zod'
import { described, exampleBaseUrl, exampleId, exampleKid, named } from '../../http/fields.ts'

const Texts = z.array(z.string())
const Flexible = z.record(z.string(), z.unknown())

const at = (path: string, what: string) => described(z.string(), what, exampleBaseUrl + path)
const texts = (what: string, ...example: string[]) => described(Texts, what, example)

const exampleConfigurationId = exampleId('compact configuration')

const oauthFields = {
  issuer: at('', 'The issuer identifier, which is the base URL of the tenant'),
  authorization_endpoint: at('/v1/oauth/authorize', 'The endpoint that the browser opens to sign in'),
  token_endpoint: at('/v1/oauth/token', 'The endpoint that exchanges codes for access tokens'),
  jwks_uri: at('/v1/openid/jwks', 'The public keys that sign tokens and metadata'),
  scopes_supported: texts('The scope of each configuration', 'cwt:CourseCertificate').optional(),
  grant_types_supported: texts(
    'The supported grants: authorization code, refresh token, and pre-authorized code',
    ...['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:pre-authorized_code'],
  ),
  response_types_supported: texts('Only `code`', 'code'),
  response_modes_supported: texts('Only `query`', 'query'),
  code_challenge_methods_supported: texts('PKCE is required, with `S256` (RFC 7636)', 'S256'),
}

const ProofType = named(
  'ProofTypeMetadata',
  'The rules for proofs of this type (OpenID4VCI 1.0, section 12.2.4)',
  z.object({
    proof_signing_alg_values_supported: texts('The algorithms of proofs', 'ES256', 'EdDSA'),
    key_attestations_required: named(
      'KeyAttestationsMetadata',
      'Keys must be attested. One value of each list must match',
      z.object({
        key_storage: Texts.optional().describe('The required resistance of the key storage (ISO/IEC 18045)'),
        user_authentication: Texts.optional().describe(
          'The required resistance of the user authentication (ISO/IEC 18045)',
        ),
      }),
    ).optional(),
  }),
)

export const CredentialConfigurationMetadata = z.object({
  format: described(z.string(), 'The format of the credential, such as `mso_mdoc`, `ldp_vc` or `cwt`', 'cwt'),
  id: described(z.string(), 'The id of the configuration', exampleConfigurationId),
  scope: described(z.string(), 'The scope for an authorization request', 'cwt:CourseCertificate'),
  credential_definition: z
    .object({
      type: texts('Its types', 'CourseCertificate'),
      '@context': Texts.optional().describe('Its JSON-LD contexts'),
    })
    .optional()
    .describe('The definition of a credential that is not an mdoc'),
  doctype: z.string().optional().describe('The document type of an mdoc'),
  vct: z.string().optional().describe('The type of an SD-JWT VC'),
  credential_signing_alg_values_supported: described(
    z.array(z.union([z.string(), z.number()])),
    'The signature algorithms: JOSE names or COSE numbers',
    [-7],
  ),
  cryptographic_binding_methods_supported: texts(
    "The accepted forms of the holder's key. Absent: the credential is not bound to a key",
    ...['jwk', 'did:key', 'did:jwk'],
  ).optional(),
  proof_types_supported: z
    .object({ jwt: ProofType, attestation: ProofType.optional() })
    .optional()
    .describe('The accepted proof types. Absent: the wallet sends no proofs'),
  credential_metadata: z
    .object({
      display: described(z.array(Flexible), 'The display of the credential, once for each language', [
        { name: 'Course certificate', locale: 'en' },
      ]),
      claims: z
        .array(
          z.object({
            path: described(
              z.array(z.union([z.string(), z.int(), z.null()])),
              'The path of the claim in the credential. `null` stands for the elements of an array',
              ['given_name'],
            ),
            mandatory: z.boolean().describe('No credential is issued without this claim'),
            display: z
              .array(
                named(
                  'Label',
                  'A name in one language',
                  z.object({
                    name: described(z.string(), 'The name that people see', 'Given name'),
                    locale: z.string().optional().describe('The language, as a tag of RFC 5646'),
                  }),
                ),
              )
              .describe('The display of the claim, once for each language'),
          }),
        )
        .optional()
        .describe('The claims of the credential'),
      credential_reuse_policy: z
        .object({
          id: z.string().describe('The set of methods: `arf_annex_ii`'),
          options: z.array(Flexible).describe('The methods with their triggers, the preferred option first'),
        })
        .optional()
        .describe('How wallets use and renew the credentials (ETSI TS 119 472-3, section 4.2.4.2)'),
    })
    .describe('The information that wallets show before the issuance'),
})

const exampleConfiguration: z.input<typeof CredentialConfigurationMetadata> = {
  format: 'cwt',
  id: exampleConfigurationId,
  scope: 'cwt:CourseCertificate',
  credential_definition: { type: ['CourseCertificate'] },
  credential_signing_alg_values_supported: [-7],
  cryptographic_binding_methods_supported: ['jwk', 'did:key', 'did:jwk'],
  proof_types_supported: { jwt: { proof_signing_alg_values_supported: ['ES256', 'EdDSA'] } },
  credential_metadata: {
    display: [{ name: 'CourseCertificate' }],
    claims: [{ path: ['given_name'], mandatory: true, display: [{ name: 'given_name' }] }],
  },
}

export type CredentialConfigurationMetadata = z.infer<typeof CredentialConfigurationMetadata>

/** RFC 7517. */
export const Jwks = named(
  'JwkSet',
  'Public keys (RFC 7517, section 5)',
  z.object({
    keys: described(z.array(Flexible), 'Public keys as JWK', [
      {
        kty: 'OKP',
        crv: 'Ed25519',
        x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
        use: 'sig',
        alg: 'EdDSA',
        kid: exampleKid,
      },
    ]),
  }),
)

const enc = texts('Content encryption algorithms (RFC 7518, section 5)', 'A128GCM', 'A256GCM', 'A128CBC-HS256')
const zip = texts('Compression algorithms', 'DEF')

const RequestEncryption = z.object({
  jwks: described(Jwks, "The tenant's keys for request encryption", {
    keys: [
      {
        kty: 'EC',
        crv: 'P-256',
        x: 'TLcSVF8R7eynpRffAcdeTwOpmlknU58gQJnDNxBnBjI',
        y: '4rt-hTNeBmz2UfGl4PnMwA5esa0Xi3oxOQetGZoglvc',
        use: 'enc',
        alg: 'ECDH-ES',
        kid: '9GzQExr_AdiRcEnZ',
      },
    ],
  }),
  enc_values_supported: enc,
  zip_values_supported: zip,
  encryption_required: z.boolean().describe('Requests without encryption are refused'),
})

const ResponseEncryption = z.object({
  alg_values_supported: texts(
    'Key agreement algorithms (RFC 7518, section 4)',
    'ECDH-ES',
    'ECDH-ES+A128KW',
    'ECDH-ES+A256KW',
  ),
  enc_values_supported: enc,
  zip_values_supported: zip,
  encryption_required: z.boolean().describe('Wallets must request encrypted responses'),
})

/** OpenID4VCI 1.0, section 12.2, with additional members for older wallets. */
export const IssuerMetadata = z.object({
  ...oauthFields,
  credential_issuer: at('', 'The issuer identifier'),
  authorization_servers: texts(
    'The issuers of the authorization servers: this one, then the other ones of the tenant. Absent without other ones',
    exampleBaseUrl,
  ).optional(),
  credential_endpoint: at('/v1/openid/credential', 'The credential endpoint'),
  nonce_endpoint: at('/v1/openid/nonce', 'The endpoint that creates nonces for proofs').optional(),
  deferred_credential_endpoint: z.string().optional().describe('The endpoint for deferred credentials'),
  notification_endpoint: at('/v1/openid/notification', 'The endpoint for notifications of wallets'),
  mdoc_iacas_uri: at('/v1/openid/iacas', 'The root certificates of mobile credentials'),
  credential_request_encryption: RequestEncryption.optional().describe(
    'The encryption of requests (OpenID4VCI 1.0, section 10)',
  ),
  credential_response_encryption: ResponseEncryption.optional().describe(
    'The encryption of responses (OpenID4VCI 1.0, section 10)',
  ),
  batch_credential_issuance: z
    .object({ batch_size: described(z.number().int(), 'The maximum number of keys in a request', 20) })
    .optional()
    .describe(
      'A request can ask for several credentials of one configuration, each bound to a different key. Absent if it cannot',
    ),
  display: described(z.array(Flexible), 'The display of the issuer, once for each language', [{ name: 'University' }]),
  issuer_info: z
    .array(
      z.object({
        format: described(z.string(), '`registration_cert` or `registrar_dataset`', 'registration_cert'),
        data: z.union([z.string(), Flexible]).describe('The registration certificate, or the data in the register'),
      }),
    )
    .optional()
    .describe('What the issuer is registered for (ETSI TS 119 472-3, section 4.2.3)'),
  credentials_supported: z.array(Flexible).optional().describe('The configurations in the form for older wallets'),
  credential_configurations_supported: described(
    z.record(z.string(), CredentialConfigurationMetadata),
    'The configurations, by their ids',
    { [exampleConfigurationId]: exampleConfiguration },
  ),
})

/** RFC 8414, section 2. */
export const AuthorizationServerMetadata = z.object({
  ...oauthFields,
  pushed_authorization_request_endpoint: at(
    '/v1/oauth/par',
    'The endpoint for pushed authorization requests (RFC 9126)',
  ),
  require_pushed_authorization_requests: z.boolean().describe('Authorization requests must be pushed'),
  authorization_response_iss_parameter_supported: described(
    z.boolean(),
    'Responses of the authorization endpoint contain the issuer (RFC 9207)',
    true,
  ),
  authorization_details_types_supported: texts(
    'The supported types of `authorization_details` (RFC 9396)',
    'openid_credential',
  ),
  token_endpoint_auth_methods_supported: texts(
    'The client authentication methods of the token endpoint',
    ...['none', 'attest_jwt_client_auth'],
  ),
  revocation_endpoint: at('/v1/oauth/revoke', 'The endpoint that revokes tokens (RFC 7009)'),
  revocation_endpoint_auth_methods_supported: texts(
    'The client authentication methods of the revocation endpoint',
    ...['none', 'attest_jwt_client_auth'],
  ),
  challenge_endpoint: at('/v1/oauth/challenge', 'The endpoint that creates challenges for proofs of possession'),
  client_attestation_signing_alg_values_supported: texts('The signature algorithms of client attestations', 'ES256'),
  client_attestation_pop_signing_alg_values_supported: texts(
    'The signature algorithms of the proofs of possession that accompany client attestations',
    'ES256',
  ),
  dpop_signing_alg_values_supported: texts('The signature algorithms of DPoP proofs (RFC 9449)', 'ES256'),
  status_list_aggregation_endpoint: at(
    '/v2/credentials/status-lists/distribution',
    'The list of token status lists of all kinds (Token Status List, section 9)',
  ),
  protected_resources: texts(
    'The resources that accept the access tokens (RFC 9728, section 4)',
    ...[exampleBaseUrl, `${exampleBaseUrl}/v1/openid/credential`],
  ),
  'pre-authorized_grant_anonymous_access_supported': described(
    z.boolean(),
    'Wallets without a `client_id` can use a pre-authorized code',
    true,
  ),
})

/** RFC 9728, section 2. */
export const ResourceMetadata = z.object({
  resource: at('', 'The resource: the tenant, or one of its endpoints for wallets'),
  authorization_servers: texts('The issuers of the authorization servers', exampleBaseUrl),
  scopes_supported: oauthFields.scopes_supported,
  bearer_methods_supported: texts(
    'How bearer tokens are sent. Absent if the tenant accepts only tokens that are bound to a key',
    'header',
  ).optional(),
  resource_name: described(z.string(), 'The name of the tenant', 'University'),
  dpop_signing_alg_values_supported: texts('The signature algorithms of DPoP proofs (RFC 9449)', 'ES256'),
  dpop_bound_access_tokens_required: z
    .boolean()
    .describe('The tenant accepts only tokens that are bound to a key by DPoP'),
})

/** The metadata documents of a tenant. */
export interface PublishedMetadata {
  issuer: z.infer<typeof IssuerMetadata>
  server: z.infer<typeof AuthorizationServerMetadata>
  resource: z.infer<typeof ResourceMetadata>
}
