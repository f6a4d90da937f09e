import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'

/** The type of an SD-JWT VC is `vct`, as in the credential. */
export function presentConfiguration({ id, profile, type, settings }: ConfigurationRow) {
  if (profile !== 'sd-jwt') return { id, type, ...settings }
  const { publishedType, ...publicSettings } = settings
  return { id, ...publicSettings, vct: type, ...(publishedType && { typeMetadataUrl: publishedType.url }) }
}
