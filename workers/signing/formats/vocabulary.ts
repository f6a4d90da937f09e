import { didWebDocumentUrl } from '../../../shared/formats/did.ts'

/** The vocabulary of a tenant, by its own DID: every claim that no context defines is a term of it. */
export function vocabularyOf(did: string): string {
  const { protocol, host } = new URL(didWebDocumentUrl(did))
  return `${protocol}//${host}/vocabulary#`
}
