import { X509Certificate } from 'node:crypto'
import { z } from 'zod'
import { findPublishedSigners } from '../../../db/repos/certificates/signers.ts'
import { notFound } from '../../../shared/errors/errors.ts'
import { publicJwk, thumbprint } from '../../../shared/formats/jwk.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { described, exampleBaseUrl } from '../../http/fields.ts'
import { Jwks } from './schemas.ts'

/** JWT VC Issuer Metadata (draft-ietf-oauth-sd-jwt-vc, section "JWT VC Issuer Metadata"). */
export const JwtVcIssuerView = z.object({
  issuer: described(z.string(), 'The issuer identifier, which is `iss` of the credentials', exampleBaseUrl),
  jwks: Jwks.describe('The public keys of the SD-JWT signers'),
})

/** Returns the keys of all signers whose credentials can be valid. Throws `not_found` if the tenant has none. */
export async function readJwtVcIssuer(
  { db, clock }: Deps,
  { id, baseUrl }: Tenant,
): Promise<z.output<typeof JwtVcIssuerView>> {
  const signers = await findPublishedSigners(db.read, id, { kind: 'sd-jwt-signer', at: clock.now() })
  if (signers.length === 0) throw notFound('issuer', baseUrl)
  const keys = signers.map(({ certificate }) => {
    const jwk = publicJwk(new X509Certificate(certificate).publicKey)
    return { ...jwk, use: 'sig', alg: 'ES256', kid: thumbprint(jwk) }
  })
  return { issuer: baseUrl, jwks: { keys } }
}
