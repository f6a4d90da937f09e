import { z } from 'zod'

const Texts = z.array(z.string())
const Flexible = z.record(z.string(), z.unknown())

const oauthFields = {
  issuer: z.string(),
  token_endpoint: z.string(),
  jwks_uri: z.string(),
  scopes_supported: Texts.optional(),
  grant_types_supported: Texts,
}

export const CredentialConfigurationMetadata = z.object({
  format: z.string(),
  id: z.string(),
  scope: z.string(),
  credential_definition: z.object({ type: Texts, '@context': Texts.optional() }),
  credential_signing_alg_values_supported: z.array(z.union([z.string(), z.number()])),
  cryptographic_binding_methods_supported: Texts,
  proof_types_supported: z.object({ jwt: z.object({ proof_signing_alg_values_supported: Texts }) }),
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

/** OpenID4VCI 1.0, section 12.2, with the members that older wallets look for in the same document. */
export const IssuerMetadata = z.object({
  ...oauthFields,
  credential_issuer: z.string(),
  credential_endpoint: z.string(),
  nonce_endpoint: z.string().optional(),
  batch_credential_issuance: z.object({ batch_size: z.number().int() }),
  display: z.array(Flexible),
  credentials_supported: z.array(Flexible).optional(),
  credential_configurations_supported: z.record(z.string(), CredentialConfigurationMetadata),
})

/** RFC 8414, section 2. */
export const AuthorizationServerMetadata = z.object({
  ...oauthFields,
  token_endpoint_auth_methods_supported: Texts,
  'pre-authorized_grant_anonymous_access_supported': z.boolean(),
})

export const Jwks = z.object({ keys: z.array(Flexible) })
