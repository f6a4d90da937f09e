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

const issuer = described(z.string(), 'The DID that issued the credentials and signs the list', exampleDid)
const lists = `${exampleBaseUrl}/v2/credentials/compact/revocation-lists`

const RevocationListView = named(
  'RevocationList',
  'A revocation list',
  z.object({
    id: idOf('revocation list'),
    issuer,
    url: described(
      z.url(),
      'The address of the list, as in its credentials',
      `${lists}/${exampleId('revocation list')}`,
    ),
  }),
)

/** An array with one page, as the API specifies. */
export const RevocationListPages = named('RevocationListPages', 'One page', z.array(pageOf(RevocationListView)))

const listCredential = `${exampleBaseUrl}/v2/credentials/web-semantic/revocation-lists/${exampleId('web semantic list')}`

/** The schema of a list, only for the API reference. The service returns the signed bytes unchanged. */
export const RevocationListCredential = z.object({
  '@context': described(z.array(z.string()), 'Its JSON-LD contexts', [
    'https://www.w3.org/2018/credentials/v1',
    'https://w3id.org/vc-revocation-list-2020/v1',
  ]),
  id: described(z.url(), 'The address of the list', listCredential),
  type: described(z.array(z.string()), 'The types of the credential', [
    'VerifiableCredential',
    'RevocationList2020Credential',
  ]),
  issuer,
  issuanceDate: Timestamp.describe('When it was signed'),
  credentialSubject: z
    .object({
      id: described(z.string(), 'The list', `${listCredential}#list`),
      type: z.literal('RevocationList2020').describe('The type of the list (Revocation List 2020)'),
      encodedList: described(
        z.string(),
        'One bit per credential, compressed with gzip, in base64url. The first credential is the highest bit of the first byte.',
        'H4sIAAAAAAAAA-3BMQEAAADCoPVPbQsvoAAAAAAAAAAAAAAAAP4GcwM92tQwAAA',
      ),
    })
    .describe('The list'),
  proof: z
    .object({
      type: z.literal('Ed25519Signature2018').describe('The type of the signature'),
      created: Timestamp.describe('When it was signed'),
      proofPurpose: described(z.string(), 'The purpose of the key', 'assertionMethod'),
      verificationMethod: described(z.string(), 'The key of the signature', `${exampleDid}#${exampleKid}`),
      jws: described(
        z.string(),
        'The signature, a JWS without its payload (RFC 7797)',
        'eyJhbGciOiJFZERTQSIsImI2NCI6ZmFsc2UsImNyaXQiOlsiYjY0Il19..c2lnbmF0dXJl',
      ),
    })
    .describe('The signature of its issuer'),
})
