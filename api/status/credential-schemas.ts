import { z } from 'zod'
import { credentialProfiles } from '../../shared/domain/issuance/profiles.ts'
import { cwtPrefix } from '../../shared/formats/cwt.ts'
import { described, exampleId, named } from '../http/fields.ts'

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

/** The signer of a credential, in filters and records. */
export const SignerId = described(
  z.string().regex(/^[\w-]{1,100}$/, 'Must be the id of a signer or of a key'),
  'The signer: the id of a document signer or SD-JWT signer, or of the key of a DID (`id` of `GET /v1/keys`, `kmsKeyId` of a DID)',
  exampleId('document signer'),
)

/** Returns the beginning of a CWT credential, as an example for the API reference. */
export function exampleCwt(profile: keyof typeof cwtPrefix): string {
  return `${cwtPrefix[profile]}2KCFLIQEKBZDQUSBMJCGO6TGMNFWI2ZQMJ3ACJVALEATXKIBPAMWI2LEHJ3WKYR2`
}
