import { randomBytes } from 'node:crypto'
import { createLog } from '../../../../shared/log/log.ts'
import { exitIfMisconfigured, Misconfigured } from '../../../../shared/process/dependency.ts'
import { type Config, readKeyEncryptionKeys } from '../../../../shared/settings/config.ts'
import { isSealedKey, listedKeys } from '../../../../shared/settings/key-files.ts'
import type { Environment } from '../../../../shared/settings/settings.ts'
import type { Token } from './open-token.ts'
import { readTokenSettings } from './token-settings.ts'

/** The URI of the secret key of the token, and after this attribute the sealed key-encryption key. */
const attribute = '?x-sealed='
const associated = Buffer.from('trustwright key-encryption key')

/** Creates a key-encryption key and returns it sealed by a secret key of the token, as a value of KEY_ENCRYPTION_KEY. */
export async function sealNewKey(token: Token, label: string): Promise<string> {
  const handle = await token.makeSecretKey({ label, id: label })
  const sealed = await token.encrypt(handle, randomBytes(32), associated)
  return `${handle}${attribute}${sealed.toString('base64url')}`
}

/** Reads the key-encryption keys, and opens those that the token has sealed. Exits with one line if it cannot. */
export async function openKeyEncryptionKeys(
  env: Environment,
  config: Pick<Config, 'logLevel' | 'production'>,
): Promise<Buffer[]> {
  const [opened] = await Promise.allSettled([withOpenKeys(env, config)])
  return exitIfMisconfigured(() => {
    if (opened.status === 'rejected') throw opened.reason
    return readKeyEncryptionKeys(opened.value)
  })
}

async function withOpenKeys(
  env: Environment,
  { logLevel, production }: Pick<Config, 'logLevel' | 'production'>,
): Promise<Environment> {
  const [keys, settings] = exitIfMisconfigured(() => [listedKeys('KEY_ENCRYPTION_KEY', env), readTokenSettings(env)])
  if (!keys.some(isSealedKey)) return env
  if (!settings)
    throw new Misconfigured(
      'A token has sealed KEY_ENCRYPTION_KEY. Set PKCS11_MODULE, PKCS11_TOKEN and PKCS11_PIN_FILE.',
    )
  const { openToken } = await import('./open-token.ts')
  const log = createLog({ process: 'signing', level: logLevel, pretty: !production })
  const token = await openToken({ ...settings, log, waitsForPin: true })
  try {
    const opened = await Promise.all(keys.map((key) => (isSealedKey(key) ? open(token, key) : key)))
    return { ...env, KEY_ENCRYPTION_KEY: opened.join(','), KEY_ENCRYPTION_KEY_FILE: undefined }
  } finally {
    await token.close()
  }
}

async function open(token: Token, key: string): Promise<string> {
  const [handle = '', sealed = ''] = key.split(attribute)
  try {
    const secret = await token.decrypt(handle, Buffer.from(sealed, 'base64url'), associated)
    return secret.toString('base64')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Misconfigured(`The token ${token.label} does not open KEY_ENCRYPTION_KEY: ${reason}`)
  }
}
