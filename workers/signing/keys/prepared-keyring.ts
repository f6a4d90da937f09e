import { findKey, type KeyRow } from '../../../db/repos/identifiers/keys.ts'
import { softwareProvider } from '../../../shared/domain/identifiers/key-policy.ts'
import type { Keyring } from './keyring.ts'
import type { Signer } from './signer.ts'
import { NeedsDevice } from './wrapping.ts'

/** A transaction lacks a key or a signature, which `prepare` makes outside of it. */
export class NotPrepared extends Error {
  readonly prepare: () => Promise<void>

  constructor(prepare: () => Promise<void>) {
    super('a key or a signature must be made before its transaction')
    this.prepare = prepare
  }
}

/** Returns the error of a transaction. `prepare` does what needs a device. */
export function unprepared(error: unknown, prepare: () => Promise<void>): unknown {
  return error instanceof NeedsDevice ? new NotPrepared(prepare) : error
}

/**
 * Returns the keyring for the runs of a transaction. It throws NotPrepared where the keyring would wait for a device, and has the answer in
 * the next run.
 */
export function createPreparedKeyring(keyring: Keyring): Keyring {
  const signatures: { key: Signer; bytes: Buffer; signature: Buffer }[] = []
  /** The agreement keys by the id of the key that they are derived from. */
  const agreements = new Map<string, KeyRow>()

  function prepared(key: Signer): Signer {
    if (key.provider === softwareProvider) return key
    const sign = async (input: Uint8Array) => {
      const bytes = Buffer.from(input)
      const made = signatures.find((each) => each.bytes.equals(bytes) && each.key.publicKey.equals(key.publicKey))
      if (made) return made.signature
      throw new NotPrepared(async () => void signatures.push({ key, bytes, signature: await key.sign(bytes) }))
    }
    return { ...key, sign }
  }

  /** A key that a device has opened is in the cache of the keyring. */
  const openOutside = (row: KeyRow) => async () => void (await keyring.openSigner(row))

  return {
    ...keyring,
    async signer(db, tenantId, id) {
      try {
        return prepared(await keyring.signer(db, tenantId, id))
      } catch (error) {
        const row = error instanceof NeedsDevice ? await findKey(db, tenantId, id) : undefined
        throw row ? unprepared(error, openOutside(row)) : error
      }
    },
    async openSigner(row) {
      try {
        return prepared(await keyring.openSigner(row))
      } catch (error) {
        throw unprepared(error, openOutside(row))
      }
    },
    async agreementKeyOf(row) {
      try {
        return agreements.get(row.id) ?? (await keyring.agreementKeyOf(row))
      } catch (error) {
        throw unprepared(error, async () => void agreements.set(row.id, await keyring.agreementKeyOf(row)))
      }
    },
  }
}
