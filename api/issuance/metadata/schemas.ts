import { z } from 'zod'
import { described, exampleBaseUrl, exampleId, exampleKid, named } from '../../http/fields.ts'

const Texts = z.array(z.string())
const Flexible = z.record(z.string(), z.unknown())

const at = (path: string, what: string) => described(z.string(), what, exampleBaseUrl + path)
const texts = (what: string, ...example: string[]) => described(Texts, what, example)

const exampleConfigurationId = exampleId('compact configuration')

const oauthFields = {
  issuer: at('', 'The issuer identifier, which is the base URL of the tenant'),
  authorization_endpoint: at('/v1/oauth/authorize', 'Where a browser is sent to sign in'),
  token_endpoint: at('/v1/oauth/token', 'Where codes are exchanged for access tokens'),
  jwks_uri: at('/v1/openid/jwks', 'The public keys that sign tokens and metadata'),
  scopes_supported: texts('A scope for each configuration', 'cwt:CourseCertificate').optional(),
  grant_types_supported: texts(
    'The flows: with a sign-in, with a code of an offer, and with a refresh token',
    ...['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:pre-authorized_code'],
  ),
  response_types_supported: texts('`code` alone', 'code'),
  response_modes_supported: texts('`query` alone', 'query'),
  code_challenge_methods_supported: texts('PKCE is needed, with `S256` (RFC 7636)', 'S256'),
}

const ProofType = named(
  'ProofTypeMetadata',
  'How a wallet may prove its keys in this way (OpenID4VCI 1.0, section 12.2.4)',
  z.object({
    proof_signing_alg_values_supported: texts('The algorithms of proofs', 'ES256', 'EdDSA'),
    key_attestations_required: named(
      'KeyAttestationsMetadata',
      'Keys have to be attested; of each list one value has to hold',
      z.object({
        key_storage: Texts.optional().describe('How well keys have to be kept (ISO/IEC 18045)'),
        user_authentication: Texts.optional().describe('How well their use has to be guarded (ISO/IEC 18045)'),
      }),
    ).optional(),
  }),
)

export const CredentialConfigurationMetadata = z.object({
  format: described(z.string(), 'The format of the credential, such as `mso_mdoc`, `ldp_vc` or `cwt`', 'cwt'),
  id: described(z.string(), 'The id of the configuration', exampleConfigurationId),
  scope: described(z.string(), 'By which an authorization request can ask for it', 'cwt:CourseCertificate'),
  credential_definition: z
    .object({
      type: texts('Its types', 'CourseCertificate'),
      '@context': Texts.optional().describe('Its JSON-LD contexts'),
    })
    .optional()
    .describe('What it is, of credentials that are no mdoc'),
  doctype: z.string().optional().describe('The document type of an mdoc'),
  credential_signing_alg_values_supported: described(
    z.array(z.union([z.string(), z.number()])),
    'The algorithms that sign it: names of JOSE, or numbers of COSE',
    [-7],
  ),
  cryptographic_binding_methods_supported: texts('How keys of the holder may be named', 'jwk', 'did:key', 'did:jwk'),
  proof_types_supported: z
    .object({ jwt: ProofType, attestation: ProofType.optional() })
    .describe('How a wallet may prove its keys'),
  credential_metadata: z
    .object({
      display: described(z.array(Flexible), 'How wallets show it, once for each language', [
        { name: 'Course certificate', locale: 'en' },
      ]),
      claims: z
        .array(
          z.object({
            path: texts('Where the claim is in the credential', 'given_name'),
            mandatory: z.boolean().describe('Nothing is issued without it'),
            display: z
              .array(
                named(
                  'Label',
                  'What something is called, in one language',
                  z.object({
                    name: described(z.string(), 'What people read', 'Given name'),
                    locale: z.string().optional().describe('The language, as a tag of RFC 5646'),
                  }),
                ),
              )
              .describe('What it is called, once for each language'),
          }),
        )
        .optional()
        .describe('What the credential says'),
    })
    .describe('What wallets show before they ask for it'),
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

const enc = texts('Content encryption (RFC 7518, section 5)', 'A128GCM', 'A256GCM', 'A128CBC-HS256')
const zip = texts('Compression before encryption', 'DEF')

const RequestEncryption = z.object({
  jwks: described(Jwks, 'The keys of the tenant for this', {
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
  encryption_required: z.boolean().describe('Requests in the clear are refused'),
})

const ResponseEncryption = z.object({
  alg_values_supported: texts('Key agreement (RFC 7518, section 4)', 'ECDH-ES', 'ECDH-ES+A128KW', 'ECDH-ES+A256KW'),
  enc_values_supported: enc,
  zip_values_supported: zip,
  encryption_required: z.boolean().describe('Wallets have to ask for encrypted answers'),
})

/** OpenID4VCI 1.0, section 12.2, with the members that older wallets look for in the same document. */
export const IssuerMetadata = z.object({
  ...oauthFields,
  credential_issuer: at('', 'The issuer identifier'),
  credential_endpoint: at('/v1/openid/credential', 'Where credentials are asked for'),
  nonce_endpoint: at('/v1/openid/nonce', 'Where wallets get the nonce of their proofs').optional(),
  deferred_credential_endpoint: z.string().optional().describe('Where credentials are collected that were not ready'),
  notification_endpoint: at('/v1/openid/notification', 'Where wallets tell what became of a credential'),
  mdoc_iacas_uri: at('/v1/openid/iacas', 'The roots of mobile credentials'),
  credential_request_encryption: RequestEncryption.optional().describe(
    'How requests are encrypted (OpenID4VCI 1.0, section 10)',
  ),
  credential_response_encryption: ResponseEncryption.optional().describe(
    'How answers are encrypted (OpenID4VCI 1.0, section 10)',
  ),
  batch_credential_issuance: z
    .object({ batch_size: described(z.number().int(), 'How many proofs a request may have', 20) })
    .describe('A request may ask for several credentials of a kind, each for a key of its own'),
  display: described(z.array(Flexible), 'How wallets show the issuer, once for each language', [
    { name: 'University' },
  ]),
  credentials_supported: z.array(Flexible).optional().describe('The configurations, as older wallets read them'),
  credential_configurations_supported: described(
    z.record(z.string(), CredentialConfigurationMetadata),
    'The configurations, by their ids',
    { [exampleConfigurationId]: exampleConfiguration },
  ),
})

/** RFC 8414, section 2. */
export const AuthorizationServerMetadata = z.object({
  ...oauthFields,
  pushed_authorization_request_endpoint: at('/v1/oauth/par', 'Where authorization requests are pushed (RFC 9126)'),
  require_pushed_authorization_requests: z.boolean().describe('Authorization requests have to be pushed'),
  authorization_response_iss_parameter_supported: described(
    z.boolean(),
    'Answers of the authorization endpoint name the issuer (RFC 9207)',
    true,
  ),
  authorization_details_types_supported: texts('Of `authorization_details` (RFC 9396)', 'openid_credential'),
  token_endpoint_auth_methods_supported: texts(
    'How wallets prove who they are at the token endpoint',
    ...['none', 'attest_jwt_client_auth'],
  ),
  client_attestation_signing_alg_values_supported: texts('The algorithms of wallet attestations', 'ES256'),
  client_attestation_pop_signing_alg_values_supported: texts(
    'The algorithms of the proofs that come with wallet attestations',
    'ES256',
  ),
  dpop_signing_alg_values_supported: texts('The algorithms of DPoP proofs (RFC 9449)', 'ES256'),
  status_list_aggregation_endpoint: at(
    '/v2/credentials/mobile/status-lists/distribution',
    'Where the token status lists are named (Token Status List, section 9.1)',
  ).optional(),
  'pre-authorized_grant_anonymous_access_supported': described(
    z.boolean(),
    'Wallets without a `client_id` may use the code of an offer',
    true,
  ),
})

/** What a tenant publishes of itself. */
export interface PublishedMetadata {
  issuer: z.infer<typeof IssuerMetadata>
  server: z.infer<typeof AuthorizationServerMetadata>
}
