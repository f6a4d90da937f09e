import { findOpeningKey } from '../../db/repos/identifiers/keys.ts'
import { findProblem, Problem } from '../../shared/errors/errors.ts'
import { kidOfJwe, openJwe } from '../../shared/formats/jwe.ts'
import type { EncryptedRequest } from '../../shared/jobs/payloads.ts'
import type { SigningDeps } from './deps.ts'

/** Decrypts a request for one of the tenant's keys (OpenID4VCI 1.0, section 10). */
export async function decryptRequest(
  { db, keyring, clock }: SigningDeps,
  { tenantId, jwe, maxBytes }: EncryptedRequest,
): Promise<{ plaintext: string }> {
  const kid = kidOfJwe(jwe)
  // The kid of the JWE is the id of the recipient's key (section 10). Another value is not sent to the database.
  const isKeyId = kid !== undefined && /^[\w-]{1,100}$/.test(kid)
  const row = isKeyId ? await findOpeningKey(db.read, tenantId, kid, clock.now()) : undefined
  if (!row) throw refusal('The kid names no key of the issuer metadata')
  const key = await keyring.openAgreement(row)
  try {
    return { plaintext: Buffer.from(await openJwe(jwe, key, maxBytes)).toString('base64') }
  } catch (error) {
    throw findProblem(error) ?? refusal('The request cannot be decrypted', error)
  }
}

function refusal(message: string, cause?: unknown): Problem {
  return new Problem('invalid_encryption_parameters', { message, cause })
}
