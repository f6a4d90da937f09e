import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Misconfigured } from './dependency.ts'
import { type Environment, readSettings, type Settings } from './settings.ts'

/** In `DATA_DIR`, for what the environment does not have. */
export const keyFiles = { SERVICE_SECRET: 'service-secret', KEY_ENCRYPTION_KEY: 'key-encryption-key' }

export type KeyName = keyof typeof keyFiles
export type KeyLocations = Settings<'DATA_DIR' | 'DATABASE_URL' | 'NODE_ENV'>

const sharedBy: Record<KeyName, string> = {
  SERVICE_SECRET: 'the same for every process',
  KEY_ENCRYPTION_KEY: 'the same for every signing process, and for no other',
}

/**
 * What is wrong where a key is not set: nothing for one process, which makes a file; but in production and with PostgreSQL processes of
 * other machines would each make one of their own.
 */
export function faultsOfMissing(name: KeyName, text: string | undefined, places: KeyLocations): string[] {
  const isShared = places.NODE_ENV === 'production' || places.DATABASE_URL?.startsWith('postgres')
  if (text !== undefined || !isShared) return []
  const file = join(places.DATA_DIR, keyFiles[name])
  const used = existsSync(file) ? `; the one that was used so far is in ${file}` : ''
  return [
    `${name} is missing. In production and with PostgreSQL it has to be set: 32 bytes in base64 (openssl rand -base64 32), ${sharedBy[name]}${used}.`,
  ]
}

/** One or, separated by commas, several; one that is listed twice is one. Where none is set, that of a file, which is made when it is missing. */
export function readKeys(name: KeyName, listed: string | undefined, places: KeyLocations): [Buffer, ...Buffer[]] {
  const [text, ...others] = listed?.split(',').map((each) => each.trim()) ?? [undefined]
  const first = readKey(name, text, places)
  const keys = [first, ...others.map((each) => readKey(name, each, places))]
  const [, ...earlier] = keys.filter((key, place) => keys.findIndex((each) => each.equals(key)) === place)
  return [first, ...earlier]
}

function readKey(name: KeyName, text: string | undefined, { DATA_DIR }: KeyLocations): Buffer {
  const file = join(DATA_DIR, keyFiles[name])
  const key = Buffer.from(text ?? keyFile(file), 'base64')
  if (key.length === 32) return key
  const place = text === undefined ? ` (${file})` : ''
  throw new Misconfigured(`${name}${place} has to be 32 bytes in base64, as \`openssl rand -base64 32\` makes them.`)
}

/** The environment with the keys that it does not name, as `npm start` gives them to its processes: from its files, which are made once. */
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
    throw new Misconfigured(`${file} can neither be read nor made (${reason}). DATA_DIR says where it is.`)
  }
}

/** The file appears whole or not at all, and the first of several processes makes it. */
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
