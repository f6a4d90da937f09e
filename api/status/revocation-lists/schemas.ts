import { z } from 'zod'
import { Uuid } from '../../http/fields.ts'

export const RevocationListView = z.object({
  id: Uuid,
  issuer: z.string().describe('The DID that issued the credentials, and signs the list'),
  url: z.url().describe('Where the list is, as its credentials say it'),
})

/** For the reference alone: what is served is what was signed, byte for byte. */
export const RevocationListCredential = z.object({
  '@context': z.array(z.string()),
  id: z.url(),
  type: z.array(z.string()),
  issuer: z.string(),
  issuanceDate: z.iso.datetime(),
  credentialSubject: z.object({
    id: z.string(),
    type: z.literal('RevocationList2020'),
    encodedList: z
      .string()
      .describe('base64url of the gzip of a bit for each credential, the first in the highest bit of the first byte'),
  }),
  proof: z.object({
    type: z.literal('Ed25519Signature2018'),
    created: z.iso.datetime(),
    proofPurpose: z.string(),
    verificationMethod: z.string(),
    jws: z.string(),
  }),
})
