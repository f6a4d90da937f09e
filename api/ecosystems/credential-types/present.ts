import type { CredentialTypeRow } from '../../../db/repos/ecosystems/credential-types.ts'

export function presentCredentialType({ id, ecosystemId, profile, type, name }: CredentialTypeRow) {
  return { id, ecosystemId, profile, type, name }
}
