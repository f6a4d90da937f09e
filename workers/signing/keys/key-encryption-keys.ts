import { createLog } from '../../../shared/log/log.ts'
import { exitIfMisconfigured, Misconfigured } from '../../../shared/process/dependency.ts'
import { type Config, readKeyEncryptionKeys } from '../../../shared/settings/config.ts'
import { isKeyOfToken, listedKeys } from '../../../shared/settings/key-files.ts'
import type { Environment } from '../../../shared/settings/settings.ts'
import type { Token } from './pkcs11/open-token.ts'
import { isSealed, openSealedKey } from './pkcs11/sealed-keys.ts'
import { secretKeyInToken } from './pkcs11/secret-key-in-token.ts'
import { readTokenSettings } from './pkcs11/token-settings.ts'
import type { KeyEncryptionKey } from './wrapping.ts'

export interface OpenKeyEncryptionKeys {
  keys: KeyEncryptionKey[]
  /** The open token that has some of the keys. Undefined if all keys are in memory. */
  token: Token | undefined
}

type TokenConfig = Pick<Config, 'logLevel' | 'production' | 'credentialDeadlineMs'>

/**
 * Reads the key-encryption keys, and opens those that a token has sealed. The token stays open if it has a key-encryption key itself. Exits
 * with one line if it cannot.
 */
export async function openKeyEncryptionKeys(env: Environment, config: TokenConfig): Promise<OpenKeyEncryptionKeys> {
  const values = exitIfMisconfigured(() => listedKeys('KEY_ENCRYPTION_KEY', env))
  if (!values.some(isKeyOfToken))
    return { keys: exitIfMisconfigured(() => readKeyEncryptionKeys(env)), token: undefined }
  const [opened] = await Promise.allSettled([openWithToken(values, env, config)])
  return exitIfMisconfigured(() => {
    if (opened.status === 'rejected') throw opened.reason
    return opened.value
  })
}

async function openWithToken(values: string[], env: Environment, config: TokenConfig): Promise<OpenKeyEncryptionKeys> {
  const settings = readTokenSettings(env)
  if (!settings)
    throw new Misconfigured('KEY_ENCRYPTION_KEY names a token. Set PKCS11_MODULE, PKCS11_TOKEN and PKCS11_PIN_FILE.')
  const { openToken } = await import('./pkcs11/open-token.ts')
  const log = createLog({ process: 'signing', level: config.logLevel, pretty: !config.production })
  // A supervisor that restarts the process would try a wrong PIN each time, and tokens lock after a few.
  const token = await openToken({ ...settings, log, requestMs: config.credentialDeadlineMs, waitsForPin: true })
  let isKept = false
  try {
    const keys: KeyEncryptionKey[] = []
    for (const value of values) keys.push(await openKey(token, value, env))
    isKept = keys.some((key) => !Buffer.isBuffer(key))
    return { keys: withoutDuplicates(keys), token: isKept ? token : undefined }
  } finally {
    if (!isKept) await token.close()
  }
}

async function openKey(token: Token, value: string, env: Environment): Promise<KeyEncryptionKey> {
  if (!isKeyOfToken(value)) return keyInClear(value, env)
  return isSealed(value) ? keyInClear(await openSealedKey(token, value), env) : secretKeyInToken(token, value)
}

function keyInClear(KEY_ENCRYPTION_KEY: string, env: Environment): Buffer {
  const [key] = readKeyEncryptionKeys({ ...env, KEY_ENCRYPTION_KEY, KEY_ENCRYPTION_KEY_FILE: undefined })
  if (!key) throw new Misconfigured('KEY_ENCRYPTION_KEY has an empty part. Remove the comma.')
  return key
}

function withoutDuplicates(keys: KeyEncryptionKey[]): KeyEncryptionKey[] {
  const isSame = (one: KeyEncryptionKey, other: KeyEncryptionKey) =>
    Buffer.isBuffer(one)
      ? Buffer.isBuffer(other) && one.equals(other)
      : !Buffer.isBuffer(other) && one.name === other.name
  return keys.filter((key, at) => keys.findIndex((each) => isSame(each, key)) === at)
}
