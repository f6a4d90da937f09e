import type { ConfigurationRow } from '../../db/repos/configurations.ts'
import { credentialFormats } from '../../shared/formats/credential-format.ts'
import { credentialsContext } from '../../shared/formats/json-ld-contexts.ts'
import { proofAlgorithms } from '../credential/proofs/jwt-proof.ts'
import type { CredentialConfigurationMetadata } from './schemas.ts'
import { scopeOf } from './scope.ts'

/** COSE algorithm identifier of ES256 (RFC 9053, section 2.1). */
const coseEs256 = -7

/** One entry of `credential_configurations_supported` (OpenID4VCI 1.0, section 12.2.4). */
export function configurationMetadata(row: ConfigurationRow): CredentialConfigurationMetadata {
  const claims = claimsOf(row)
  return {
    format: credentialFormats[row.profile],
    id: row.id,
    scope: scopeOf(row),
    credential_definition: definitionOf(row),
    credential_signing_alg_values_supported: row.profile === 'web-semantic' ? ['Ed25519Signature2018'] : [coseEs256],
    cryptographic_binding_methods_supported: ['jwk', 'did:key'],
    proof_types_supported: { jwt: { proof_signing_alg_values_supported: [...proofAlgorithms] } },
    credential_metadata: { display: [displayOf(row)], ...(claims.length > 0 ? { claims } : {}) },
  }
}

function definitionOf({ profile, type, settings }: ConfigurationRow) {
  if (profile !== 'web-semantic') return { type: [type] }
  return {
    type: ['VerifiableCredential', type, ...(settings.additionalTypes ?? [])],
    '@context': [...new Set([credentialsContext, ...(settings.contexts ?? [])])],
  }
}

function displayOf({ type, settings: { name, description, credentialBranding, issuer } }: ConfigurationRow) {
  return {
    name: name ?? type,
    ...(description === undefined ? {} : { description }),
    ...(credentialBranding?.backgroundColor && { background_color: credentialBranding.backgroundColor }),
    ...(credentialBranding?.watermarkImageUrl && { background_image: { uri: credentialBranding.watermarkImageUrl } }),
    ...(issuer?.logoUrl && { logo: { uri: issuer.logoUrl } }),
  }
}

function claimsOf({ profile, settings }: ConfigurationRow) {
  const root = profile === 'compact' ? [] : ['credentialSubject']
  return Object.entries(settings.claimMappings).map(([name, { required }]) => ({
    path: [...root, name],
    mandatory: required ?? false,
    display: [{ name }],
  }))
}
