import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import { mappingsOf } from '../../../shared/domain/issuance/claim-mappings.ts'
import type { CredentialDisplay } from '../../../shared/domain/issuance/profile-settings.ts'
import { isKeyBound, profiles } from '../../../shared/domain/issuance/profiles.ts'
import type { ReusePolicy } from '../../../shared/domain/issuance/reuse-policy.ts'
import { isMandatory } from '../../../shared/formats/mdoc/doc-types.ts'
import { describeClaims } from '../../../shared/formats/sd-jwt/claim-metadata.ts'
import { resolveTree } from '../../../shared/formats/sd-jwt/claim-tree.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Scopes } from '../configurations/scope.ts'
import { proofAlgorithms } from '../proofs/algorithms.ts'
import { batchSizeOf } from '../proofs/batch-size.ts'
import { describe } from './profile-metadata.ts'
import type { CredentialConfigurationMetadata } from './schemas.ts'

/** Returns one entry of `credential_configurations_supported` (OpenID4VCI 1.0, section 12.2.4). */
export function configurationMetadata(
  tenant: Tenant,
  row: ConfigurationRow,
  scopes: Scopes,
): CredentialConfigurationMetadata {
  const claims = claimsOf(row)
  const { format, signingAlgorithms } = profiles[row.profile]
  const { definition, bindingMethods, display } = describe(row)
  return {
    format,
    id: row.id,
    scope: scopes.get(row.id) ?? '',
    ...definition,
    credential_signing_alg_values_supported: [...signingAlgorithms],
    ...(isKeyBound(row) && {
      cryptographic_binding_methods_supported: bindingMethods,
      proof_types_supported: proofTypesOf(tenant, row),
    }),
    credential_metadata: {
      display: row.settings.display?.map(displayIn) ?? [display],
      ...(claims.length > 0 ? { claims } : {}),
      ...(row.settings.reusePolicy && { credential_reuse_policy: reusePolicyIn(tenant, row.settings.reusePolicy) }),
    },
  }
}

/**
 * Returns the proof types. Attestations are accepted as proofs if the tenant trusts a root (OpenID4VCI 1.0, appendix
 * F.3).
 */
function proofTypesOf({ settings: { keyAttestationRoots } }: Tenant, { settings }: ConfigurationRow) {
  const { keyAttestationsRequired: rules } = settings
  const algorithms = { proof_signing_alg_values_supported: [...proofAlgorithms] }
  const attested = {
    key_attestations_required: {
      ...(rules?.keyStorage && { key_storage: rules.keyStorage }),
      ...(rules?.userAuthentication && { user_authentication: rules.userAuthentication }),
    },
  }
  return {
    jwt: { ...algorithms, ...(rules && attested) },
    // For this type every proof is an attestation. An empty object accepts any attestation (section 12.2.4).
    ...(keyAttestationRoots.length > 0 ? { attestation: { ...algorithms, ...attested } } : {}),
  }
}

/** Returns `credential_reuse_policy`. The limit of the tenant can be lower than when the policy was stored. */
function reusePolicyIn(tenant: Tenant, { options }: ReusePolicy) {
  const limit = batchSizeOf(tenant)
  return {
    id: 'arf_annex_ii',
    options: options.map(({ methods, batchSize, reissueTriggerUnused, reissueTriggerLifetimeLeft }) => ({
      details: methods,
      ...(batchSize !== undefined && { batch_size: Math.min(batchSize, limit) }),
      ...(reissueTriggerUnused !== undefined && { reissue_trigger_unused: reissueTriggerUnused }),
      ...(reissueTriggerLifetimeLeft !== undefined && { reissue_trigger_lifetime_left: reissueTriggerLifetimeLeft }),
    })),
  }
}

function displayIn({ name, locale, description, logoUrl, backgroundColor, textColor }: CredentialDisplay) {
  return {
    name,
    ...(locale && { locale }),
    ...(description && { description }),
    ...(logoUrl && { logo: { uri: logoUrl } }),
    ...(backgroundColor && { background_color: backgroundColor }),
    ...(textColor && { text_color: textColor }),
  }
}

function claimsOf(row: ConfigurationRow) {
  if (row.profile === 'sd-jwt') return sdJwtClaimsOf(row)
  const { claimRoot } = profiles[row.profile]
  const mappings = mappingsOf(row)
  const paths = new Set(mappings.map(({ path }) => path.join('\n')))
  const has = (...path: string[]) => paths.has(path.join('\n'))
  return mappings.map(({ path, mapping: { required = false, display } }) => ({
    path: [...claimRoot, ...path],
    mandatory: required || (row.profile === 'mobile' && isMandatory(row.type, path, has)),
    display: display ?? [{ name: path.at(-1) ?? '' }],
  }))
}

function sdJwtClaimsOf({ settings: { claimMappings, disclose } }: ConfigurationRow<'sd-jwt'>) {
  const described = describeClaims(resolveTree(claimMappings, disclose))
  return described.map(({ path, mandatory, display }) => ({ path: [...path], mandatory, display: [...display] }))
}
