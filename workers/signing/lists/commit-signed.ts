import type { Writer } from '../../../db/client.ts'
import { holdShared } from '../../../db/hold.ts'
import { holdInUse } from '../../../db/repos/certificates/signers.ts'
import { noteChanges } from '../../../db/repos/status/entries.ts'
import type { ListRef } from '../../../db/repos/status/publishing.ts'
import { keys } from '../../../db/tables/identifiers/keys.ts'
import type { ListDeps } from './issuer-list.ts'
import type { SignedList } from './sign-list.ts'

/**
 * Writes a list that was signed; `write` says whether it did. The certificate that signed it, where one did, may have been revoked,
 * made inactive or deleted meanwhile: then nothing is written, it is known no longer, and this throws; the retry has another one
 * sign. A key of the tenant's DID may have been retired, of which this process did not know: what it signed is good, and is signed
 * anew within seconds, so that nobody needs that key for longer than it is published.
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
      // Held, so that whoever retires it sees the list, or is seen here.
      const key = keyId === null ? undefined : await holdShared(tx, keys, tenantId, keyId)
      isRetired = (key?.retiredAt ?? null) !== null
      if (signerId !== null && !(await holdInUse(tx, tenantId, [signerId])).has(signerId)) throw new SignerGone()
      if (!(await write(tx))) return false
      if (isRetired) await noteChanges(tx, tenantId, [listId], clock.now())
      return true
    })
    if (isRetired) currentKeys.forget()
    return isWritten
  } catch (error) {
    // Which ones are known is read anew each second in any case.
    if (error instanceof SignerGone) signerCache.clear()
    throw error
  }
}

type CommitDeps = Pick<ListDeps, 'db' | 'signerCache' | 'currentKeys' | 'clock'>

class SignerGone extends Error {
  constructor() {
    super('the certificate that signed a status list may sign no longer')
    this.name = 'SignerGone'
  }
}
