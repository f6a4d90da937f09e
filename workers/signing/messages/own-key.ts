import { findDidKey, type OwnDidKey } from '../../../db/repos/identifiers/did-keys.ts'
import type { KeyAlgorithm } from '../../../db/tables/identifiers/keys.ts'
import type { SigningDeps } from '../deps.ts'
import type { SigningKey } from '../keyring.ts'

/** Returns the key of one of the tenant's DIDs with its DID URL, or undefined if the tenant has no such key. */
export async function ownKey(
  { db, keyring, clock }: Pick<SigningDeps, 'db' | 'keyring' | 'clock'>,
  tenantId: string,
  didUrl: string,
  algorithm: KeyAlgorithm,
): Promise<(Pick<OwnDidKey, 'didUrl' | 'isRetired'> & SigningKey) | undefined> {
  const row = await findDidKey(db.read, tenantId, didUrl, algorithm, clock.now())
  return row && { ...row, ...(await keyring.key(db.read, tenantId, row.id)) }
}
