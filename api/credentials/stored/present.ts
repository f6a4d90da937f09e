import { z } from 'zod'
import type { StoredCredentialRow } from '../../../db/repos/credentials/stored.ts'
import type { StoredDocument } from '../../../db/tables/credentials/stored-credentials.ts'
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

const listUrl = `${exampleBaseUrl}/v2/credentials/web-semantic/revocation-lists/${exampleId('web semantic list')}`

const exampleStatus = {
  id: `${listUrl}#235436`,
  type: 'RevocationList2020Status' as const,
  revocationListIndex: '235436',
  revocationListCredential: listUrl,
}

export const exampleCredential = {
  type: ['VerifiableCredential', 'CourseCertificate'],
  '@context': [
    'https://www.w3.org/2018/credentials/v1',
    {
      '@vocab': `${exampleBaseUrl}/vocabulary#`,
      name: 'https://schema.org/name',
      description: 'https://schema.org/description',
    },
    'https://w3id.org/vc-revocation-list-2020/v1',
  ],
  id: `urn:uuid:${exampleId('web-semantic credential')}`,
  credentialStatus: exampleStatus,
  issuer: { id: exampleDid },
  issuanceDate: '2026-11-22T09:30:00Z',
  credentialSubject: { given_name: 'Ada' },
  proof: {
    type: 'Ed25519Signature2018',
    created: '2026-11-22T09:30:00Z',
    proofPurpose: 'assertionMethod',
    verificationMethod: `${exampleDid}#${exampleKid}`,
    jws: 'eyJhbGciOiJFZERTQSIsImI2NCI6ZmFsc2UsImNyaXQiOlsiYjY0Il19..c2lnbmF0dXJl',
  },
}

/** The operator's view of a JSON-LD credential. */
export const WebSemanticView = z.object({
  id: idOf('web-semantic credential'),
  credential: described(
    z.looseObject({ type: z.array(z.string()).describe('Its types') }),
    'The credential with its proof',
    exampleCredential,
  ),
  tag: described(z.string(), 'Your label', 'summer-2026').optional(),
  issuanceDate: Timestamp.describe('The start of its validity'),
  credentialStatus: named(
    'RevocationListPlace',
    'The revocation list and the index of the credential (Revocation List 2020)',
    z.object({
      id: described(z.string(), 'The address of the entry in the list', exampleStatus.id),
      type: z.literal('RevocationList2020Status').describe('The type of the entry'),
      revocationListIndex: described(z.string(), 'The index in the list, from 0', exampleStatus.revocationListIndex),
      revocationListCredential: described(z.url(), 'The address of the list', listUrl),
    }),
  ).optional(),
})

export function presentStoredWebSemantic({ credential, ...row }: StoredCredentialRow) {
  // Boundary: rows of this profile have documents.
  return presentWebSemantic({ ...row, credential: credential as StoredDocument })
}

export function presentWebSemantic({
  id,
  credential,
  tag,
}: {
  id: string
  credential: StoredDocument
  tag?: string | null | undefined
}): z.input<typeof WebSemanticView> {
  const { issuanceDate, credentialStatus } = credential
  return {
    ...{ id, credential, issuanceDate },
    ...(tag ? { tag } : {}),
    // Boundary: the signing process writes this object.
    ...(credentialStatus ? { credentialStatus: credentialStatus as never } : {}),
  }
}
