import type { Writer } from '../../../db/client.ts'
import { holdShared } from '../../../db/hold.ts'
import { holdInUse } from '../../../db/repos/certificates/signers.ts'
import { recordListChanges } from '../../../db/repos/status/entries.ts'
import type { ListRef } from '../../../db/repos/status/publishing.ts'
import { keys } from '../../../db/tables/identifiers/keys.ts'
import type { ListDeps } from './issuer-list.ts'
import type { SignedList } from './sign-list.ts'

/**
 * Commits a signed list. `write` returns whether it wrote the list. Throws if the signing certificate was revoked, deactivated or deleted
 * meanwhile. Nothing is written then, and the retry uses another certificate. If the key of the tenant's DID was retired meanwhile, the list
 * is valid, and is signed again within seconds. Therefore the key is not needed longer than it is published.
 */
export async function commitSigned(
  { db, signerCache, currentKeys, clock }: CommitDeps,
  { tenantId, listId }: ListRef,
  { signerId, keyId }: Pick<SignedList, 'signerId' | 'keyId'>,
  write: (tx: Writer) => Promise<boolean>,
): Promise<boolean> {
  try {
    let isRetired = false
    const isWritten = await db.tx(async (tx) => {
      // The lock orders this transaction and a rotation. Either the rotation sees the list, or this sees the retired key.
      const key = keyId === null ? undefined : await holdShared(tx, keys, tenantId, keyId)
      isRetired = (key?.retiredAt ?? null) !== null
      if (signerId !== null && !(await holdInUse(tx, tenantId, [signerId])).has(signerId)) throw new SignerNotInUse()
      if (!(await write(tx))) return false
      if (isRetired) await recordListChanges(tx, tenantId, [listId], clock.now())
      return true
    })
    if (isRetired) currentKeys.forget()
    return isWritten
  } catch (error) {
    if (error instanceof SignerNotInUse) signerCache.clear()
    throw error
  }
}

type CommitDeps = Pick<ListDeps, 'db' | 'signerCache' | 'currentKeys' | 'clock'>

class SignerNotInUse extends Error {
  constructor() {
    super('the certificate that signed the status list is no longer in use')
    this.name = 'SignerNotInUse'
  }
}
