import type { NewStoredCredential, StoredCredentialRow } from '../../db/repos/credentials/stored.ts'
import type { StoredDocument } from '../../db/tables/credentials/stored-credentials.ts'
import type { Signature } from '../../shared/jobs/payloads.ts'

type Credential = Signature['credential']
type Owner = Omit<StoredCredentialRow, 'profile' | 'credential'>

/** Returns the row of a JSON-LD credential that is stored whole. */
export function documentRow(credential: Credential, owner: Owner): NewStoredCredential {
  // Boundary: what the profile signs is a credential.
  const document = credential as StoredDocument
  return { ...owner, profile: 'web-semantic', credential: document, types: document.type }
}

/** Returns the row of an SD-JWT VC that is stored with all its disclosures. */
export function sdJwtRow(credential: Credential, vct: string, owner: Owner): NewStoredCredential {
  return { ...owner, profile: 'sd-jwt', credential: String(credential), types: [vct] }
}
