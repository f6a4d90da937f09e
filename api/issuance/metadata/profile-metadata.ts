import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import type { CredentialProfile } from '../../../shared/domain/issuance/profiles.ts'
import { credentialsContext } from '../../../shared/formats/json-ld-contexts.ts'
import type { CredentialConfigurationMetadata } from './schemas.ts'

/** The metadata of a configuration that depends on its profile. */
interface Description {
  definition: Pick<CredentialConfigurationMetadata, 'credential_definition' | 'doctype' | 'vct'>
  /** The accepted forms of the key of the holder (OpenID4VCI 1.0, section 12.2.4). Ignored if credentials are not bound to a key. */
  bindingMethods: string[]
  /** The display for configurations that define none. */
  display: Record<string, unknown>
}

type Describers = { [Profile in CredentialProfile]: (row: ConfigurationRow<Profile>) => Description }

const bindingMethods = ['jwk', 'did:key', 'did:jwk']

const describers: Describers = {
  compact: cwt,
  'compact-semantic': cwt,
  'web-semantic': ({ type, settings: { name, description, issuer, credentialBranding, ...settings } }) => ({
    definition: {
      credential_definition: {
        type: ['VerifiableCredential', type, ...(settings.additionalTypes ?? [])],
        '@context': [...new Set([credentialsContext, ...(settings.contexts ?? [])])],
      },
    },
    bindingMethods,
    display: {
      name,
      ...(description === undefined ? {} : { description }),
      ...(credentialBranding?.backgroundColor && { background_color: credentialBranding.backgroundColor }),
      ...(credentialBranding?.watermarkImageUrl && { background_image: { uri: credentialBranding.watermarkImageUrl } }),
      ...(issuer.logoUrl && { logo: { uri: issuer.logoUrl } }),
    },
  }),
  mobile: ({ type, settings: { branding = {} } }) => ({
    definition: { doctype: type },
    bindingMethods: ['cose_key'],
    display: {
      name: branding.name ?? type,
      ...(branding.description === undefined ? {} : { description: branding.description }),
      ...(branding.backgroundColor && { background_color: branding.backgroundColor }),
      ...(branding.watermarkImage && { background_image: { uri: branding.watermarkImage } }),
      ...(branding.issuerLogo && { logo: { uri: branding.issuerLogo } }),
    },
  }),
  // OpenID4VCI 1.0, appendix A.3.
  'sd-jwt': ({ type, settings: { name, description } }) => ({
    definition: { vct: type },
    bindingMethods: ['jwk'],
    display: { name, ...(description !== undefined && { description }) },
  }),
}

function cwt({ type }: { type: string }): Description {
  return { definition: { credential_definition: { type: [type] } }, bindingMethods, display: { name: type } }
}

export function describe<Profile extends CredentialProfile>(row: ConfigurationRow<Profile>): Description {
  return describers[row.profile](row)
}
