import type { Reader } from '../../db/client.ts'
import { findOneOfEachWrapping } from '../../db/repos/identifiers/key-wrapping.ts'
import { Misconfigured } from '../../shared/dependency.ts'
import type { Log } from '../../shared/log.ts'
import type { Keyring } from './keyring.ts'

/**
 * Opens a stored key of each key-encryption key that has wrapped any. Throws Misconfigured where none of them opens: then this process
 * would sign nothing, and whatever it made could be opened by no other. One that is not given any more is told of: the keys under it are
 * closed, and the others are good.
 */
export async function requireOpenKeys(db: Reader, keyring: Keyring, log: Log): Promise<void> {
  const rows = await findOneOfEachWrapping(db)
  const closed = rows.filter((row) => !keyring.opens(row)).map(({ wrappedUnder }) => wrappedUnder ?? 'unknown')
  if (closed.length === 0) return
  const [given, wrapped] = [keyring.keyEncryptionKeys.join(', '), closed.join(', ')]
  if (closed.length < rows.length) {
    log.error({ given, wrapped }, 'KEY_ENCRYPTION_KEY lacks a key under which some of the private keys are wrapped')
    return
  }
  throw new Misconfigured(
    `KEY_ENCRYPTION_KEY opens none of the private keys in the database: it is the one named ${given}, and they are wrapped under ${wrapped}. Set the one that signing processes had before.`,
  )
}
