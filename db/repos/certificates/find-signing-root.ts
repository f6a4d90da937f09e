import { missingSignerText } from '../../../shared/domain/certificates/missing-signer.ts'
import type { Reader } from '../../client.ts'
import {
  findSigningAuthority,
  hasAuthority,
  type SignerRequirements,
  type SigningAuthority,
} from './signing-authorities.ts'

/** Returns the authority of `findSigningAuthority`. If none can sign, returns a sentence that says what is missing and what to do. */
export async function findSigningRoot(
  db: Reader,
  tenantId: string,
  requirements: SignerRequirements,
): Promise<SigningAuthority | { missing: string }> {
  const signing = await findSigningAuthority(db, tenantId, requirements)
  return signing ?? { missing: missingSignerText(requirements.kind, await hasAuthority(db, tenantId, requirements)) }
}
