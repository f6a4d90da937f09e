import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Misconfigured } from '../process/dependency.ts'
import { settingValue } from './secret-files.ts'
import { type Environment, readSettings, type Settings } from './settings.ts'

/** Files in `DATA_DIR` for keys that are not set in the environment. */
export const keyFiles = { SERVICE_SECRET: 'service-secret', KEY_ENCRYPTION_KEY: 'key-encryption-key' }

export type KeyName = keyof typeof keyFiles
export type KeyLocations = Settings<'DATA_DIR' | 'DATABASE_URL' | 'NODE_ENV'>

const sharedBy: Record<KeyName, string> = {
  SERVICE_SECRET: 'the same for every process',
  KEY_ENCRYPTION_KEY: 'the same for every signing process, and for no other',
}

/**
 * Returns a fault if a key is not set but must be. Without it, a process creates a key file. In production and with PostgreSQL, each
 * machine would create another key.
 */
export function faultsOfMissing(name: KeyName, text: string | undefined, locations: KeyLocations): string[] {
  const isShared = locations.NODE_ENV === 'production' || locations.DATABASE_URL?.startsWith('postgres')
  if (text !== undefined || !isShared) return []
  const file = join(locations.DATA_DIR, keyFiles[name])
  const used = existsSync(file) ? ` The current key is in ${file}.` : ''
  return [
    `${name} is missing. In production and with PostgreSQL it must be 32 bytes in base64 (openssl rand -base64 32), ${sharedBy[name]}.${used}`,
  ]
}

/** Returns the listed keys of a setting. */
export function listedKeys(name: KeyName, env: Environment): string[] {
  const listed = settingValue(name, env)
  return listed?.split(',').map((each) => each.trim()) ?? []
}

/** Returns whether a PKCS#11 token has a key, or has sealed it (workers/signing/keys/key-encryption-keys.ts). */
export function isKeyOfToken(key: string): boolean {
  return key.startsWith('pkcs11:')
}

/** Reads a list of keys with commas between them, without duplicates. If none is set, reads the key file, and creates it if needed. */
export function readKeys(name: KeyName, listed: string | undefined, locations: KeyLocations): [Buffer, ...Buffer[]] {
  const [text, ...others] = listed?.split(',').map((each) => each.trim()) ?? [undefined]
  const first = readKey(name, text, locations)
  const keys = [first, ...others.map((each) => readKey(name, each, locations))]
  const [, ...earlier] = keys.filter((key, index) => keys.findIndex((each) => each.equals(key)) === index)
  return [first, ...earlier]
}

function readKey(name: KeyName, text: string | undefined, { DATA_DIR }: KeyLocations): Buffer {
  const file = join(DATA_DIR, keyFiles[name])
  const key = Buffer.from(text ?? keyFile(file), 'base64')
  if (key.length === 32) return key
  const source = text === undefined ? ` (${file})` : ''
  throw new Misconfigured(`${name}${source} must be 32 bytes in base64. Create them with \`openssl rand -base64 32\`.`)
}

/** Adds missing keys to the environment, from the key files. `npm start` passes the result to its processes. */
export function withKeyFiles<Env extends Environment>(env: Env): Env {
  const { DATA_DIR } = readSettings(['DATA_DIR'], env)
  const missing = (Object.keys(keyFiles) as KeyName[]).filter((name) => !env[name])
  return { ...env, ...Object.fromEntries(missing.map((name) => [name, keyFile(join(DATA_DIR, keyFiles[name]))])) }
}

function keyFile(file: string): string {
  try {
    if (!existsSync(file)) makeKeyFile(file)
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : String(error)
    throw new Misconfigured(`${file} can be neither read nor created (${reason}). Check DATA_DIR, which is its folder.`)
  }
}

/** Creates the complete file in one step. If several processes try it, the first one succeeds. */
function makeKeyFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(draft, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    unlinkSync(draft)
  }
}
