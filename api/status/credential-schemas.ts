import { z } from 'zod'
import { credentialProfiles } from '../../shared/domain/issuance/profiles.ts'
import { cwtPrefix } from '../../shared/formats/cwt.ts'
import { named } from '../http/fields.ts'

export const CredentialProfileSchema = named(
  'CredentialProfile',
  'The family of formats of a credential',
  z.enum(credentialProfiles),
)

export const CredentialStatusSchema = named(
  'CredentialStatus',
  '`invalid` is final for mobile credentials and SD-JWT VCs. Lists of SD-JWT VCs, and other token status lists in the format `legacy`, support `suspended`.',
  z.enum(['valid', 'invalid', 'suspended']),
)

/** Returns the beginning of a CWT credential, as an example for the API reference. */
export function exampleCwt(profile: keyof typeof cwtPrefix): string {
  return `${cwtPrefix[profile]}2KCFLIQEKBZDQUSBMJCGO6TGMNFWI2ZQMJ3ACJVALEATXKIBPAMWI2LEHJ3WKYR2`
}
