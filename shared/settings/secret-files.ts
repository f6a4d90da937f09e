import { readFileSync, statSync } from 'node:fs'
import { Misconfigured } from '../process/dependency.ts'

/** The settings that can be in a file: `NAME_FILE` is its path. Their values never appear in an error message. */
export const secretSettings = [
  'SERVICE_SECRET',
  'KEY_ENCRYPTION_KEY',
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'REDIS_URL',
  'PLATFORM_SIGN_IN_CLIENT_SECRET',
] as const

type Environment = Record<string, string | undefined>

const maxBytes = 65_536

/**
 * Returns the value of a setting: that of its variable, or the content of the file that `NAME_FILE` names, without a line break at its
 * end. Throws Misconfigured if both are set, or if the file cannot be read or is empty.
 */
export function settingValue(name: string, env: Environment): string | undefined {
  const file = secretSettings.some((each) => each === name) ? env[fileVariable(name)] : undefined
  if (!file) return env[name] || undefined
  const variable = fileVariable(name)
  if (env[name]) throw new Misconfigured(`${name} and ${variable} are both set. Remove one of them.`)
  const value = readSecret(file, variable).replace(/\r?\n$/, '')
  if (value === '') throw new Misconfigured(`${variable} names the file ${file}, which is empty.`)
  return value
}

/** Returns the environment with the values of all `NAME_FILE` variables instead of these variables. */
export function withSecretFiles<Env extends Environment>(env: Env): Env {
  const values = secretSettings.map((name) => [name, settingValue(name, env)] as const)
  const read = Object.fromEntries(values.filter(([, value]) => value !== undefined))
  const paths = secretSettings.map(fileVariable)
  return { ...Object.fromEntries(Object.entries(env).filter(([name]) => !paths.includes(name))), ...read } as Env
}

function fileVariable(name: string): string {
  return `${name}_FILE`
}

function readSecret(file: string, variable: string): string {
  // Such as a key-encryption key that a token has sealed (workers/signing/keys/pkcs11/sealed-keys.ts).
  if (file.startsWith('pkcs11:'))
    throw new Misconfigured(
      `${variable} is a PKCS#11 URI, which is not the path of a file. Set ${variable.replace(/_FILE$/, '')} to the URI.`,
    )
  try {
    if (statSync(file).size > maxBytes)
      throw new Misconfigured(`${variable} names a file of more than 64 KiB: ${file}.`)
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Misconfigured) throw error
    const reason = error instanceof Error && 'code' in error ? error.code : String(error)
    throw new Misconfigured(`${variable} names the file ${file}, which cannot be read (${reason}).`)
  }
}
