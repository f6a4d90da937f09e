import { z } from 'zod'
import {
  described,
  exampleBaseUrl,
  exampleDid,
  exampleId,
  exampleKid,
  idOf,
  named,
  Timestamp,
} from '../../http/fields.ts'
import { pageOf } from '../../http/page.ts'

const issuer = described(z.string(), 'The DID that issued the credentials, and signs the list', exampleDid)
const lists = `${exampleBaseUrl}/v2/credentials/compact/revocation-lists`

const RevocationListView = named(
  'RevocationList',
  'A revocation list',
  z.object({
    id: idOf('revocation list'),
    issuer,
    url: described(z.url(), 'Where the list is, as its credentials say it', `${lists}/${exampleId('revocation list')}`),
  }),
)

/** A list of one page, as the interface has it. */
export const RevocationListPages = named('RevocationListPages', 'One page', z.array(pageOf(RevocationListView)))

const listCredential = `${exampleBaseUrl}/v2/credentials/web-semantic/revocation-lists/${exampleId('web semantic list')}`

/** For the reference alone: what is served is what was signed, byte for byte. */
export const RevocationListCredential = z.object({
  '@context': described(z.array(z.string()), 'Its JSON-LD contexts', [
    'https://www.w3.org/2018/credentials/v1',
    'https://w3id.org/vc-revocation-list-2020/v1',
  ]),
  id: described(z.url(), 'Where it is', listCredential),
  type: described(z.array(z.string()), 'What it is', ['VerifiableCredential', 'RevocationList2020Credential']),
  issuer,
  issuanceDate: Timestamp.describe('When it was signed'),
  credentialSubject: z
    .object({
      id: described(z.string(), 'The list', `${listCredential}#list`),
      type: z.literal('RevocationList2020').describe('What it is (Revocation List 2020)'),
      encodedList: described(
        z.string(),
        'base64url of the gzip of a bit for each credential, the first in the highest bit of the first byte',
        'H4sIAAAAAAAAA-3BMQEAAADCoPVPbQsvoAAAAAAAAAAAAAAAAP4GcwM92tQwAAA',
      ),
    })
    .describe('The list'),
  proof: z
    .object({
      type: z.literal('Ed25519Signature2018').describe('How it is signed'),
      created: Timestamp.describe('When it was signed'),
      proofPurpose: described(z.string(), 'What the key is for', 'assertionMethod'),
      verificationMethod: described(z.string(), 'The key that signed it', `${exampleDid}#${exampleKid}`),
      jws: described(
        z.string(),
        'The signature, a JWS without its payload (RFC 7797)',
        'eyJhbGciOiJFZERTQSIsImI2NCI6ZmFsc2UsImNyaXQiOlsiYjY0Il19..c2lnbmF0dXJl',
      ),
    })
    .describe('The signature of its issuer'),
})
