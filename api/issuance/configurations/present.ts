import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'

/** The type of an SD-JWT VC is `vct`, as in the credential. */
export function presentConfiguration({ id, profile, type, settings }: ConfigurationRow) {
  return profile === 'sd-jwt' ? { id, ...settings, vct: type } : { id, type, ...settings }
}
