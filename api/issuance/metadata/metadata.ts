import type { z } from 'zod'
import { type ConfigurationRow, findAllConfigurations } from '../../../db/repos/issuance/configurations.ts'
import { mappingsOf } from '../../../shared/claim-mappings.ts'
import { writePath } from '../../../shared/formats/claim-path.ts'
import { profiles } from '../../../shared/profiles.ts'
import { distributionPath } from '../../../shared/status-lists.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { scopeOf } from '../configurations/scope.ts'
import { batchSize } from '../proofs/check-proofs.ts'
import { attestationAlgorithms } from '../proofs/client-attestation.ts'
import { dpopAlgorithms } from '../proofs/dpop.ts'
import { supportedGrantTypes } from '../token/grant-types.ts'
import { configurationMetadata } from './configuration-metadata.ts'
import { encryptionMetadata } from './encryption-metadata.ts'
import type { AuthorizationServerMetadata, IssuerMetadata } from './schemas.ts'

/** The credential issuer's metadata (OpenID4VCI 1.0, section 12.2), with the authorization server's own members in it. */
export async function issuerMetadata(deps: Deps, tenant: Tenant): Promise<z.infer<typeof IssuerMetadata>> {
  const configurations = await findAllConfigurations(deps.db.read, tenant.id)
  const { baseUrl } = tenant
  return {
    ...oauthMembers(tenant, configurations),
    credential_issuer: baseUrl,
    credential_endpoint: `${baseUrl}/v1/openid/credential`,
    ...(tenant.settings.deferredIssuance === 'never'
      ? {}
      : { deferred_credential_endpoint: `${baseUrl}/v1/openid/deferred-credential` }),
    notification_endpoint: `${baseUrl}/v1/openid/notification`,
    mdoc_iacas_uri: `${baseUrl}/v1/openid/iacas`,
    // Once it is published every proof must carry a nonce; the lenient profile serves wallets that know none.
    ...(tenant.profile === 'lenient' ? {} : { nonce_endpoint: `${baseUrl}/v1/openid/nonce` }),
    ...(await encryptionMetadata(deps, tenant)),
    batch_credential_issuance: { batch_size: batchSize },
    display: [{ name: tenant.name }],
    ...(configurations.length > 0
      ? { credentials_supported: configurations.map((row) => legacyMetadata(tenant, row)) }
      : {}),
    credential_configurations_supported: Object.fromEntries(
      configurations.map((row) => [row.id, configurationMetadata(tenant, row)]),
    ),
  }
}

/** The authorization server's metadata (RFC 8414), from the same source. */
export async function authorizationServerMetadata(
  deps: Deps,
  tenant: Tenant,
): Promise<z.infer<typeof AuthorizationServerMetadata>> {
  const configurations = await findAllConfigurations(deps.db.read, tenant.id)
  return {
    ...oauthMembers(tenant, configurations),
    pushed_authorization_request_endpoint: `${tenant.baseUrl}/v1/oauth/par`,
    require_pushed_authorization_requests: tenant.profile === 'haip',
    authorization_response_iss_parameter_supported: true,
    authorization_details_types_supported: ['openid_credential'],
    token_endpoint_auth_methods_supported: [
      ...(tenant.profile === 'haip' ? [] : ['none']),
      'attest_jwt_client_auth',
      'attest_jwt_client_auth_dpop',
    ],
    client_attestation_signing_alg_values_supported: [...attestationAlgorithms],
    client_attestation_pop_signing_alg_values_supported: [...attestationAlgorithms],
    dpop_signing_alg_values_supported: [...dpopAlgorithms],
    // Readers of the draft know its lists alone.
    ...(tenant.settings.statusListFormat === 'draft14'
      ? { status_list_aggregation_endpoint: tenant.baseUrl + distributionPath }
      : {}),
    'pre-authorized_grant_anonymous_access_supported': tenant.profile !== 'haip',
  }
}

function oauthMembers({ baseUrl }: Tenant, configurations: ConfigurationRow[]) {
  return {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/v1/oauth/authorize`,
    token_endpoint: `${baseUrl}/v1/oauth/token`,
    jwks_uri: `${baseUrl}/v1/openid/jwks`,
    // RFC 8414, section 3.2: what would be empty is left out.
    ...(configurations.length > 0 ? { scopes_supported: [...new Set(configurations.map(scopeOf))] } : {}),
    grant_types_supported: supportedGrantTypes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    code_challenge_methods_supported: ['S256'],
  }
}

/** What drafts before 13 called a supported credential. */
function legacyMetadata(tenant: Tenant, row: ConfigurationRow) {
  const { format, id, scope, credential_definition, doctype, ...rest } = configurationMetadata(tenant, row)
  return {
    format,
    id,
    scope,
    ...credential_definition,
    ...(doctype === undefined ? { credentialSubject: claimNames(row) } : { doctype, claims: claimNames(row) }),
    cryptographic_binding_methods_supported: rest.cryptographic_binding_methods_supported,
    cryptographic_suites_supported: [...profiles[row.profile].legacySuites],
  }
}

/** Each claim's name, where it stands, with nothing said of it. */
function claimNames(row: ConfigurationRow): Record<string, unknown> {
  const names: Record<string, unknown> = {}
  for (const { path } of mappingsOf(row)) writePath(names, path, {})
  return names
}
