import { z } from 'zod'
import { Problem } from '../../../shared/errors/errors.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import {
  compressions,
  contentEncryptions,
  isRecipientKey,
  type JweRecipient,
  keyAgreements,
  makeJwe,
} from '../../../shared/formats/jwe.ts'
import { type PublicJwk, parsePublicJwk } from '../../../shared/formats/jwk.ts'
import type { Tenant } from '../../access/subjects.ts'
import { type GeneratedMedia, generatedMedia } from '../../http/representations/media.ts'

/**
 * `credential_response_encryption` (OpenID4VCI 1.0, section 8.2). `alg` is a member of the JWK. A separate `alg` comes
 * from old drafts.
 */
const Parameters = z.object({
  jwk: z.looseObject({
    alg: z.enum(keyAgreements),
    kid: z.string().max(500).optional(),
    use: z.literal('enc').optional(),
  }),
  enc: z.enum(contentEncryptions),
  zip: z.enum(compressions).optional(),
})

/**
 * Returns the encryption of the response, or undefined for a plain response. Throws `invalid_encryption_parameters` if
 * the tenant requires another one or the request is invalid.
 */
export function encryptedResponse(
  { tenant, isEncrypted }: { tenant: Tenant; isEncrypted: boolean },
  requested: unknown,
): GeneratedMedia | undefined {
  const { requestRequired, responseRequired } = tenant.settings.encryption
  if (requestRequired && !isEncrypted) throw refusal('The request must be encrypted')
  if (requested === undefined) {
    if (responseRequired) throw refusal('credential_response_encryption is missing')
    return undefined
  }
  // Section 8.2: a request for an encrypted response must be encrypted. Otherwise the parameters could be replaced in
  // transit.
  if (!isEncrypted) throw refusal('A request for an encrypted response must be encrypted itself')
  const recipient = recipientOf(requested)
  return generatedMedia('application/jwt', (body) => makeJwe(JSON.stringify(body), recipient))
}

function recipientOf(requested: unknown): JweRecipient {
  const { success, data, error } = Parameters.safeParse(requested)
  if (!success) {
    const wrong = error.issues.map(({ path }) => ['credential_response_encryption', ...path].join('.'))
    throw refusal(`Invalid: ${[...new Set(wrong)].join(', ')}`)
  }
  const { jwk, enc, zip } = data
  return { jwk: keyOf(jwk), alg: jwk.alg, kid: jwk.kid, enc, zip }
}

/** Parses a public key. A key for which the response could not be encrypted is refused before anything is issued. */
function keyOf(jwk: object): PublicJwk {
  try {
    const key = parsePublicJwk(jwk)
    if (isRecipientKey(key)) return key
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
  }
  throw refusal('credential_response_encryption.jwk is not a public key for encryption')
}

function refusal(message: string): Problem {
  return new Problem('invalid_encryption_parameters', { message })
}
