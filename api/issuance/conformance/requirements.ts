import type { Tenant } from '../../access/subjects.ts'
import type { PublishedMetadata } from '../metadata/schemas.ts'

/** The input of the checks: what wallets see, and whom the tenant trusts. */
export interface ConformanceInput {
  tenant: Pick<Tenant, 'profile' | 'settings'>
  metadata: PublishedMetadata
  /** Whether an attestation of a wallet can be accepted: the tenant has a wallet provider, or a wallet with root certificates. */
  trustsWallets: boolean
  /** Whether a certificate below an active IACA signs, or is created with the first signature. */
  hasSigner: boolean
}

/** A requirement of HAIP 1.0 for credential issuers. */
interface Requirement {
  clause: string
  text: string
  isMet(input: ConformanceInput): boolean
  /** What the operator changes. Absent if the service itself meets the requirement for every tenant. */
  change?: string
}

const setProfile = 'Set the profile of the tenant to haip'
const credentialFormats = ['dc+sd-jwt', 'mso_mdoc']

/** The requirements of HAIP 1.0 for the issuance of credentials, in the order of its sections. */
export const requirements = {
  authorization_code_flow: {
    clause: 'HAIP 1.0, section 4',
    text: 'The authorization code flow is supported',
    isMet: ({ metadata: { server } }) => server.grant_types_supported.includes('authorization_code'),
  },
  credential_format: {
    clause: 'HAIP 1.0, sections 4 and 6',
    text: 'A credential of the format dc+sd-jwt or mso_mdoc is offered',
    isMet: ({ metadata: { issuer } }) =>
      Object.values(issuer.credential_configurations_supported).some(({ format }) =>
        credentialFormats.includes(format),
      ),
    change: 'Create a credential configuration of the profile sd-jwt or mobile',
  },
  pkce: {
    clause: 'HAIP 1.0, section 4',
    text: 'S256 is the only code challenge method',
    isMet: ({ metadata: { server } }) => server.code_challenge_methods_supported.every((method) => method === 'S256'),
  },
  pushed_authorization_requests: {
    clause: 'HAIP 1.0, section 4',
    text: 'Authorization requests must be pushed',
    isMet: ({ metadata: { server } }) => server.require_pushed_authorization_requests,
    change: setProfile,
  },
  issuer_in_response: {
    clause: 'HAIP 1.0, section 4',
    text: 'Authorization responses contain iss',
    isMet: ({ metadata: { server } }) => server.authorization_response_iss_parameter_supported,
  },
  dpop: {
    clause: 'HAIP 1.0, section 4',
    text: 'Access tokens are bound to a key by DPoP',
    isMet: ({ tenant, metadata: { server } }) =>
      tenant.profile === 'haip' && server.dpop_signing_alg_values_supported.includes('ES256'),
    change: setProfile,
  },
  batch_size: {
    clause: 'HAIP 1.0, section 4',
    text: 'The metadata states the maximum size of a batch',
    isMet: ({ metadata: { issuer } }) => issuer.batch_credential_issuance !== undefined,
  },
  scopes: {
    clause: 'HAIP 1.0, sections 4.1 and 4.2',
    text: 'Each credential configuration has a scope',
    isMet: ({ metadata: { issuer } }) =>
      Object.values(issuer.credential_configurations_supported).every(({ scope }) => scope !== ''),
  },
  signed_metadata: {
    clause: 'HAIP 1.0, section 4.1',
    text: 'Signed metadata have a certificate chain (x5c)',
    isMet: ({ tenant, hasSigner }) => tenant.profile === 'haip' && hasSigner,
    change: `${setProfile}, and activate an IACA`,
  },
  nonce_endpoint: {
    clause: 'HAIP 1.0, section 4.1',
    text: 'The metadata has a nonce endpoint',
    isMet: ({ metadata: { issuer } }) => issuer.nonce_endpoint !== undefined,
    change: setProfile,
  },
  response_encryption: {
    clause: 'OpenID4VCI 1.0, section 10',
    text: 'Wallets can request encrypted responses',
    isMet: ({ metadata: { issuer } }) => issuer.credential_response_encryption !== undefined,
    change: 'Wait until the tenant has its encryption key, which is created with the tenant',
  },
  wallet_authentication: {
    clause: 'HAIP 1.0, section 4.4.1',
    text: 'Every wallet authenticates by a wallet attestation',
    isMet: ({ metadata: { server } }) => !server.token_endpoint_auth_methods_supported.includes('none'),
    change: setProfile,
  },
  wallet_trust: {
    clause: 'HAIP 1.0, section 4.4.1',
    text: 'The tenant trusts a certificate that wallet attestations lead to',
    isMet: ({ trustsWallets }) => trustsWallets,
    change: 'Add a wallet provider, or a wallet with the root certificates of its attestations',
  },
  key_attestation: {
    clause: 'HAIP 1.0, section 4.5.1',
    text: 'Key attestations with x5c are accepted',
    isMet: ({ tenant }) => tenant.settings.keyAttestationRoots.length > 0,
    change: 'Add the root certificates of key attestations to keyAttestationRoots of the tenant',
  },
  single_key_attestation: {
    clause: 'HAIP 1.0, section 4.5.1',
    text: 'All keys of a batch are attested in one key attestation',
    isMet: ({ tenant }) => tenant.profile === 'haip' && tenant.settings.keyAttestationRoots.length > 0,
    change: `${setProfile}, and add the root certificates of key attestations`,
  },
  status_list: {
    clause: 'HAIP 1.0, section 6.1',
    text: 'Credentials refer to a token status list',
    isMet: ({ tenant }) => tenant.settings.statusListFormat === 'draft14',
    change: 'Set statusListFormat of the tenant to draft14',
  },
  signature_algorithms: {
    clause: 'HAIP 1.0, section 7',
    text: 'Wallet attestations, key attestations and proofs can be signed with ES256',
    isMet: ({ metadata: { issuer, server } }) =>
      server.client_attestation_signing_alg_values_supported.includes('ES256') &&
      Object.values(issuer.credential_configurations_supported).every(
        ({ proof_types_supported: types }) => types?.jwt.proof_signing_alg_values_supported.includes('ES256') ?? true,
      ),
  },
} as const satisfies Record<string, Requirement>

export type RequirementName = keyof typeof requirements
