import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import { credentialsContext } from '../../../shared/formats/json-ld-contexts.ts'
import type { CredentialProfile } from '../../../shared/profiles.ts'
import type { CredentialConfigurationMetadata } from './schemas.ts'

/** What the metadata says of a configuration by its profile. */
interface Description {
  definition: CredentialConfigurationMetadata['credential_definition']
  /** Where the configuration itself says nothing of how it is shown. */
  display: Record<string, unknown>
}

type Describers = { [Profile in CredentialProfile]: (row: ConfigurationRow<Profile>) => Description }

const describers: Describers = {
  compact: cwt,
  'compact-semantic': cwt,
  'web-semantic': ({ type, settings: { name, description, issuer, credentialBranding, ...settings } }) => ({
    definition: {
      type: ['VerifiableCredential', type, ...(settings.additionalTypes ?? [])],
      '@context': [...new Set([credentialsContext, ...(settings.contexts ?? [])])],
    },
    display: {
      name,
      ...(description === undefined ? {} : { description }),
      ...(credentialBranding?.backgroundColor && { background_color: credentialBranding.backgroundColor }),
      ...(credentialBranding?.watermarkImageUrl && { background_image: { uri: credentialBranding.watermarkImageUrl } }),
      ...(issuer.logoUrl && { logo: { uri: issuer.logoUrl } }),
    },
  }),
}

function cwt({ type }: { type: string }): Description {
  return { definition: { type: [type] }, display: { name: type } }
}

export function describe<Profile extends CredentialProfile>(row: ConfigurationRow<Profile>): Description {
  return describers[row.profile](row)
}
