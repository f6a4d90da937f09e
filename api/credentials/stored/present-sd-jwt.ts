import { z } from 'zod'
import type { StoredCredentialRow } from '../../../db/repos/credentials/stored.ts'
import { decodeSdJwt } from '../../../shared/formats/sd-jwt/decode-sd-jwt.ts'
import { described, idOf, named, Timestamp } from '../../http/fields.ts'

/** The header, the payload and a signature of an SD-JWT VC, as an example for the reference. */
export const exampleSdJwt =
  'eyJ0eXAiOiJkYytzZC1qd3QiLCJhbGciOiJFUzI1NiJ9.eyJ2Y3QiOiJ1cm46ZXhhbXBsZTpzdHVkZW50LWNhcmQifQ.c2lnbmF0dXJl~'

/** The operator's view of an SD-JWT VC. */
export const SignedSdJwt = named(
  'SignedSdJwt',
  'A signed SD-JWT VC',
  z.object({
    id: idOf('sd-jwt credential'),
    encoded: described(z.string(), 'The credential with all disclosures, for the holder', exampleSdJwt),
    decoded: described(z.record(z.string(), z.unknown()), 'Its claims', {
      vct: 'urn:example:student-card',
      given_name: 'Ada',
    }),
  }),
)

export function presentSdJwt(id: string, encoded: string): z.input<typeof SignedSdJwt> {
  return { id, encoded, decoded: { ...decodeSdJwt(encoded).claims } }
}

/** The operator's view of a stored SD-JWT VC. */
export const StoredSdJwtView = SignedSdJwt.extend({ createdAt: Timestamp.describe('When it was signed') })

export function presentStoredSdJwt({
  id,
  credential,
  createdAt,
}: StoredCredentialRow): z.input<typeof StoredSdJwtView> {
  return { ...presentSdJwt(id, String(credential)), createdAt: createdAt.toISOString() }
}
