import type { Reader } from '../../../db/client.ts'
import { findOneOfEachWrapping } from '../../../db/repos/identifiers/key-wrapping.ts'
import type { Log } from '../../../shared/log/log.ts'
import { Misconfigured } from '../../../shared/process/dependency.ts'
import type { Keyring } from './keyring.ts'

/**
 * Opens one stored key of each key-encryption key. Throws Misconfigured if none of them opens, because no other process could open the keys
 * that this process creates. Logs an error if a key-encryption key is missing and others are not. Keys under the missing one cannot be used.
 */
export async function requireOpenKeys(db: Reader, keyring: Keyring, log: Log): Promise<void> {
  const rows = await findOneOfEachWrapping(db)
  const closed: string[] = []
  for (const row of rows) if (!(await keyring.opens(row))) closed.push(row.wrappedUnder ?? 'unknown')
  if (closed.length === 0) return
  const [configuredNames, wrapped] = [keyring.keyEncryptionKeys.join(', '), closed.join(', ')]
  if (closed.length < rows.length) {
    log.error({ configured: configuredNames, wrapped }, 'KEY_ENCRYPTION_KEY lacks a key that wraps some private keys')
    return
  }
  throw new Misconfigured(
    `KEY_ENCRYPTION_KEY opens no private key in the database. Its name is ${configuredNames}, and the keys are wrapped with ${wrapped}. Set the earlier KEY_ENCRYPTION_KEY.`,
  )
}
