import { z } from 'zod'

const Texts = z.array(z.string())
const Flexible = z.record(z.string(), z.unknown())

const oauthFields = {
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  jwks_uri: z.string(),
  scopes_supported: Texts.optional(),
  grant_types_supported: Texts,
  response_types_supported: Texts,
  response_modes_supported: Texts,
  code_challenge_methods_supported: Texts,
}

const ProofType = z.object({
  proof_signing_alg_values_supported: Texts,
  key_attestations_required: z
    .object({ key_storage: Texts.optional(), user_authentication: Texts.optional() })
    .optional(),
})

export const CredentialConfigurationMetadata = z.object({
  format: z.string(),
  id: z.string(),
  scope: z.string(),
  credential_definition: z.object({ type: Texts, '@context': Texts.optional() }).optional(),
  doctype: z.string().optional(),
  credential_signing_alg_values_supported: z.array(z.union([z.string(), z.number()])),
  cryptographic_binding_methods_supported: Texts,
  proof_types_supported: z.object({ jwt: ProofType, attestation: ProofType.optional() }),
  credential_metadata: z.object({
    display: z.array(Flexible),
    claims: z
      .array(
        z.object({
          path: Texts,
          mandatory: z.boolean(),
          display: z.array(z.object({ name: z.string(), locale: z.string().optional() })),
        }),
      )
      .optional(),
  }),
})

export type CredentialConfigurationMetadata = z.infer<typeof CredentialConfigurationMetadata>

const RequestEncryption = z.object({
  jwks: z.object({ keys: z.array(Flexible) }),
  enc_values_supported: Texts,
  zip_values_supported: Texts,
  encryption_required: z.boolean(),
})

const ResponseEncryption = z.object({
  alg_values_supported: Texts,
  enc_values_supported: Texts,
  zip_values_supported: Texts,
  encryption_required: z.boolean(),
})

/** OpenID4VCI 1.0, section 12.2, with the members that older wallets look for in the same document. */
export const IssuerMetadata = z.object({
  ...oauthFields,
  credential_issuer: z.string(),
  credential_endpoint: z.string(),
  nonce_endpoint: z.string().optional(),
  deferred_credential_endpoint: z.string().optional(),
  notification_endpoint: z.string(),
  mdoc_iacas_uri: z.string(),
  credential_request_encryption: RequestEncryption.optional(),
  credential_response_encryption: ResponseEncryption.optional(),
  batch_credential_issuance: z.object({ batch_size: z.number().int() }),
  display: z.array(Flexible),
  credentials_supported: z.array(Flexible).optional(),
  credential_configurations_supported: z.record(z.string(), CredentialConfigurationMetadata),
})

/** RFC 8414, section 2. */
export const AuthorizationServerMetadata = z.object({
  ...oauthFields,
  pushed_authorization_request_endpoint: z.string(),
  require_pushed_authorization_requests: z.boolean(),
  authorization_response_iss_parameter_supported: z.boolean(),
  authorization_details_types_supported: Texts,
  token_endpoint_auth_methods_supported: Texts,
  client_attestation_signing_alg_values_supported: Texts,
  client_attestation_pop_signing_alg_values_supported: Texts,
  dpop_signing_alg_values_supported: Texts,
  status_list_aggregation_endpoint: z.string().optional(),
  'pre-authorized_grant_anonymous_access_supported': z.boolean(),
})

/** What a tenant publishes of itself. */
export interface PublishedMetadata {
  issuer: z.infer<typeof IssuerMetadata>
  server: z.infer<typeof AuthorizationServerMetadata>
}

export const Jwks = z.object({ keys: z.array(Flexible) })
