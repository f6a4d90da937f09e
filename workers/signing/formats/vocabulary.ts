import { didWebDocumentUrl } from '../../../shared/formats/did.ts'

/** Returns the vocabulary of a tenant. A claim that no context defines is a term of it. */
export function vocabularyOf(did: string): string {
  const { protocol, host } = new URL(didWebDocumentUrl(did))
  return `${protocol}//${host}/vocabulary#`
}
