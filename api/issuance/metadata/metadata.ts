import { findAuthorizationServers } from '../../../db/repos/issuance/authorization-servers.ts'
import { type ConfigurationRow, findAllConfigurations } from '../../../db/repos/issuance/configurations.ts'
import { findRegistrationCertificate } from '../../../db/repos/issuance/registration-certificates.ts'
import { findWalletProviderRoots } from '../../../db/repos/issuance/wallet-providers.ts'
import { isDpopPossessionRequired } from '../../../db/repos/issuance/wallets.ts'
import { type MappedConfiguration, mappingsOf } from '../../../shared/domain/issuance/claim-mappings.ts'
import { supportedGrantTypes } from '../../../shared/domain/issuance/grant-types.ts'
import { profiles } from '../../../shared/domain/issuance/profiles.ts'
import { aggregationPath } from '../../../shared/domain/status/status-lists.ts'
import { followsHaip } from '../../../shared/domain/tenancy/protocol-profiles.ts'
import { writePath } from '../../../shared/formats/claim-path.ts'
import type { Tenant } from '../../access/subjects.ts'
import { baseUrlOfPages, publishes } from '../../access/views.ts'
import type { Deps } from '../../deps.ts'
import { dpopAlgorithms } from '../../proofs/dpop-algorithms.ts'
import { type Scopes, scopesOf } from '../configurations/scope.ts'
import { batchSizeOf } from '../proofs/batch-size.ts'
import { attestationAlgorithms } from '../proofs/client-attestation.ts'
import { isPublished, issuerInfoOf } from '../registration-certificates/issuer-info.ts'
import { configurationMetadata } from './configuration-metadata.ts'
import { encryptionMetadata } from './encryption-metadata.ts'
import { resourceMetadata, resourcesOf } from './resource-metadata.ts'
import type { CredentialConfigurationMetadata, PublishedMetadata } from './schemas.ts'

/** The input of the metadata of a tenant and of all its views. */
export interface TenantFacts {
  /** The oldest first. */
  configurations: ConfigurationRow[]
  encryption: Awaited<ReturnType<typeof encryptionMetadata>>
  /** Whether there are wallets whose DPoP proof can replace the proof of possession. */
  isDpopPossession: boolean
  /** The issuers of other authorization servers of the tenant, the oldest first. */
  otherServers: string[]
  /** The registration of the tenant. Empty without one. */
  issuerInfo: ReturnType<typeof issuerInfoOf>
}

/** The input of the metadata documents of the tenant, or of one view. */
interface Facts extends TenantFacts {
  tenant: Tenant
  scopes: Scopes
}

/** Returns all documents from one set of database reads. */
export async function readMetadata(deps: Deps, tenant: Tenant): Promise<PublishedMetadata> {
  return metadataOf(await readFacts(deps, tenant), tenant)
}

/** Reads what `metadataOf` needs for the tenant and for each of its views. */
export async function readFacts(deps: Deps, tenant: Tenant): Promise<TenantFacts> {
  const [configurations, encryption, isRequired, roots, servers, registration] = await Promise.all([
    findAllConfigurations(deps.db.read, tenant.id),
    encryptionMetadata(deps, tenant),
    isDpopPossessionRequired(deps.db.read, tenant.id),
    findWalletProviderRoots(deps.db.read, tenant.id),
    findAuthorizationServers(deps.db.read, tenant.id),
    findRegistrationCertificate(deps.db.read, tenant.id),
  ])
  const isDpopPossession = isRequired || roots.length > 0
  const otherServers = servers.map((server) => server.issuer)
  const issuerInfo = registration && isPublished(registration, deps.clock.now()) ? issuerInfoOf(registration) : []
  return { configurations, encryption, isDpopPossession, otherServers, issuerInfo }
}

/** Returns all documents of the tenant, or of the view through which it is seen. */
export function metadataOf(ofTenant: TenantFacts, tenant: Tenant): PublishedMetadata {
  const configurations = ofTenant.configurations.filter((row) => publishes(tenant.view, row))
  const allScopes = scopesOf(ofTenant.configurations)
  const scopes = new Map(configurations.map(({ id }) => [id, allScopes.get(id) ?? '']))
  const facts = { ...ofTenant, tenant, configurations, scopes }
  return {
    issuer: issuerMetadata(facts),
    server: authorizationServerMetadata(facts),
    resource: resourceMetadata(tenant, [...scopes.values()], ofTenant.otherServers),
  }
}

/**
 * Returns the credential issuer metadata (OpenID4VCI 1.0, section 12.2), including the members of the authorization
 * server.
 */
function issuerMetadata(facts: Facts): PublishedMetadata['issuer'] {
  const { tenant, configurations, scopes, encryption, otherServers, issuerInfo } = facts
  const { issuer, profile } = tenant
  const described = configurations.map((row) => ({ row, described: configurationMetadata(tenant, row, scopes) }))
  return {
    ...oauthMembers(facts),
    credential_issuer: issuer,
    // OpenID4VCI 1.0, section 12.2.4: without it, the issuer is the only authorization server.
    ...(otherServers.length > 0 ? { authorization_servers: [issuer, ...otherServers] } : {}),
    credential_endpoint: `${issuer}/v1/openid/credential`,
    ...(tenant.settings.deferredIssuance === 'never'
      ? {}
      : { deferred_credential_endpoint: `${issuer}/v1/openid/deferred-credential` }),
    notification_endpoint: `${issuer}/v1/openid/notification`,
    mdoc_iacas_uri: `${tenant.baseUrl}/v1/openid/iacas`,
    // With a published nonce endpoint every proof must contain a nonce. The lenient profile serves wallets that do not
    // know nonces.
    ...(profile === 'lenient' ? {} : { nonce_endpoint: `${issuer}/v1/openid/nonce` }),
    ...encryption,
    ...batchMetadata(tenant),
    display: displayOf(tenant),
    ...(issuerInfo.length > 0 && { issuer_info: issuerInfo }),
    // HAIP wallets implement the final specification, which uses only the member below.
    ...(configurations.length > 0 && !followsHaip(profile)
      ? { credentials_supported: described.flatMap(legacyMetadata) }
      : {}),
    credential_configurations_supported: Object.fromEntries(described.map((each) => [each.row.id, each.described])),
  }
}

/** OpenID4VCI 1.0, section 12.2.4: a published size is at least 2. Without one, a request has one key. */
function batchMetadata(tenant: Tenant): Pick<PublishedMetadata['issuer'], 'batch_credential_issuance'> {
  const batchSize = batchSizeOf(tenant)
  return batchSize < 2 ? {} : { batch_credential_issuance: { batch_size: batchSize } }
}

/** Returns the issuer display: one object for each language, and one without a language for all others. */
function displayOf({ name, settings: { branding } }: Tenant): PublishedMetadata['issuer']['display'] {
  const logo = branding.logoUrl && { logo: { uri: branding.logoUrl } }
  return [{ name }, ...(branding.names ?? [])].map((each) => ({ ...each, ...logo }))
}

/** Returns the authorization server metadata (RFC 8414), from the same input. */
function authorizationServerMetadata(facts: Facts): PublishedMetadata['server'] {
  const { tenant } = facts
  const authMethods = [
    ...(followsHaip(tenant.profile) ? [] : ['none']),
    'attest_jwt_client_auth',
    ...(facts.isDpopPossession ? ['attest_jwt_client_auth_dpop'] : []),
  ]
  return {
    ...oauthMembers(facts),
    pushed_authorization_request_endpoint: `${tenant.issuer}/v1/oauth/par`,
    require_pushed_authorization_requests: followsHaip(tenant.profile),
    authorization_response_iss_parameter_supported: true,
    authorization_details_types_supported: ['openid_credential'],
    token_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint: `${tenant.issuer}/v1/oauth/revoke`,
    revocation_endpoint_auth_methods_supported: authMethods,
    challenge_endpoint: `${tenant.issuer}/v1/oauth/challenge`,
    client_attestation_signing_alg_values_supported: [...attestationAlgorithms],
    client_attestation_pop_signing_alg_values_supported: [...attestationAlgorithms],
    dpop_signing_alg_values_supported: [...dpopAlgorithms],
    status_list_aggregation_endpoint: tenant.baseUrl + aggregationPath,
    protected_resources: resourcesOf(tenant),
    'pre-authorized_grant_anonymous_access_supported': !followsHaip(tenant.profile),
  }
}

function oauthMembers({ tenant, scopes }: Facts) {
  const { baseUrl, issuer } = tenant
  return {
    issuer,
    // People sign in at the host of the tenant, which their provider knows.
    authorization_endpoint: `${baseUrlOfPages(tenant)}/v1/oauth/authorize`,
    token_endpoint: `${issuer}/v1/oauth/token`,
    jwks_uri: `${baseUrl}/v1/openid/jwks`,
    // RFC 8414, section 3.2: empty members are omitted.
    ...(scopes.size > 0 ? { scopes_supported: [...scopes.values()] } : {}),
    grant_types_supported: [...supportedGrantTypes],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    code_challenge_methods_supported: ['S256'],
  }
}

/** Returns a supported credential in the form of drafts before 13. They do not know the format `dc+sd-jwt`. */
function legacyMetadata({ row, described }: { row: ConfigurationRow; described: CredentialConfigurationMetadata }) {
  if (row.profile === 'sd-jwt') return []
  const { format, id, scope, credential_definition, doctype, ...rest } = described
  const names = claimNames(row)
  return [
    {
      ...{ format, id, scope },
      ...credential_definition,
      ...(doctype === undefined ? { credentialSubject: names } : { doctype, claims: names }),
      cryptographic_binding_methods_supported: rest.cryptographic_binding_methods_supported,
      cryptographic_suites_supported: [...profiles[row.profile].legacySuites],
    },
  ]
}

/** Returns the name of each claim at its path, with an empty object as its value. */
function claimNames(row: MappedConfiguration): Record<string, unknown> {
  const names: Record<string, unknown> = {}
  for (const { path } of mappingsOf(row)) writePath(names, path, {})
  return names
}
