import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { secretSettings } from '../../../../../shared/settings/secret-files.ts'
import { countOf } from '../../count-of.ts'
import { failedCheck, notChecked, passedCheck } from '../finding.ts'
import type { GoLive } from './go-live.ts'

/** The files of DATA_DIR that have secrets. */
const namesInDataDir = ['service-secret', 'key-encryption-key', 'trustwright.db', 'demo.json', 'identity-provider.json']
/** Containers have no other users, and get their secrets here. */
const containerFolder = '/run/secrets/'

/** Checks that no other user of this machine can read the files with secrets. */
export async function checkSecretFiles({ env, profiles }: GoLive) {
  const settings = secretSettings.flatMap((name) => env[`${name}_FILE`] || [])
  const data = env.DATA_DIR ? namesInDataDir.map((name) => join(env.DATA_DIR ?? '', name)) : []
  if (settings.length + data.length === 0)
    return notChecked('run the command on each machine of the service, with DATA_DIR and the variables NAME_FILE.')
  const files = [...settings, ...data, profiles].map((path) => resolve(path)).filter((path) => existsSync(path))
  const readable = files.filter((path) => !path.startsWith(containerFolder) && isReadableByOthers(path))
  if (readable.length === 0) return passedCheck(`${countOf(files.length, 'file')} with secrets, for their owner only`)
  return readable.map((path) => failedCheck(`Other users can read ${path}, which has secrets. Run "chmod 600 ${path}"`))
}

/** A folder that others cannot enter protects its files. */
function isReadableByOthers(path: string): boolean {
  return (statSync(path).mode & 0o044) !== 0 && (statSync(dirname(path)).mode & 0o011) !== 0
}
