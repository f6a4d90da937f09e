import { z } from 'zod'
import { cwtPrefix } from '../../shared/formats/cwt.ts'
import { credentialProfiles } from '../../shared/profiles.ts'
import { named } from '../http/fields.ts'

export const CredentialProfile = named(
  'CredentialProfile',
  'The family of formats of a credential',
  z.enum(credentialProfiles),
)

export const CredentialStatus = named(
  'CredentialStatus',
  '`invalid` is final for mobile credentials; `suspended` is known to lists in the format `legacy` alone',
  z.enum(['valid', 'invalid', 'suspended']),
)

/** For the reference: the beginning of one. */
export function exampleCwt(profile: keyof typeof cwtPrefix): string {
  return `${cwtPrefix[profile]}2KCFLIQEKBZDQUSBMJCGO6TGMNFWI2ZQMJ3ACJVALEATXKIBPAMWI2LEHJ3WKYR2`
}
