import type { Database, Writer } from '../../../db/client.ts'
import { holdInUse } from '../../../db/repos/certificates/signers.ts'
import type { KnownSigners } from '../certificates/known-signers.ts'
import type { SignedList } from './sign-list.ts'

/**
 * Writes what was signed. The certificate that signed it, where one did, may have been revoked, made inactive or deleted meanwhile:
 * then nothing is written, it is known no longer, and this throws; the retry has another one sign.
 */
export async function commitSigned<Result>(
  { db, knownSigners }: { db: Database; knownSigners: KnownSigners },
  tenantId: string,
  { signerId }: Pick<SignedList, 'signerId'>,
  write: (tx: Writer) => Promise<Result>,
): Promise<Result> {
  try {
    return await db.tx(async (tx) => {
      if (signerId !== null && !(await holdInUse(tx, tenantId, [signerId])).has(signerId)) throw new SignerGone()
      return write(tx)
    })
  } catch (error) {
    // Which ones are known is read anew each second in any case.
    if (error instanceof SignerGone) knownSigners.clear()
    throw error
  }
}

class SignerGone extends Error {
  constructor() {
    super('the certificate that signed a status list may sign no longer')
    this.name = 'SignerGone'
  }
}
