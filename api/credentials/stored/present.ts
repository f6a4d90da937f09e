import { z } from 'zod'
import type { StoredDocument } from '../../../db/tables/credentials/stored-credentials.ts'
import { Uuid } from '../../http/fields.ts'

/** A JSON-LD credential as operators see it. */
export const WebSemanticView = z.object({
  id: Uuid,
  credential: z.looseObject({ type: z.array(z.string()) }),
  tag: z.string().optional(),
  issuanceDate: z.iso.datetime(),
  credentialStatus: z
    .object({
      id: z.string(),
      type: z.literal('RevocationList2020Status'),
      revocationListIndex: z.string(),
      revocationListCredential: z.url(),
    })
    .optional(),
})

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
    // Boundary: what the signing process makes of a place in a list.
    ...(credentialStatus ? { credentialStatus: credentialStatus as never } : {}),
  }
}
