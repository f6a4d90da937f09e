import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Credentials } from '../../../shared/client/token.ts'
import { UsageError } from './command.ts'

/** A session of the console that a browser allowed, instead of the credentials of a client. */
interface Session {
  baseUrl: string
  /** The value of the header `Cookie`. */
  cookie: string
}

export type Profile = Credentials | Session

interface Profiles {
  profiles: Record<string, Profile>
}

/** Returns the file of the profiles: `TRUSTWRIGHT_CONFIG`, or a file in the configuration folder of the user. */
export function profilesFile(env: NodeJS.ProcessEnv): string {
  const folder = env.XDG_CONFIG_HOME || join(homedir(), '.config')
  return env.TRUSTWRIGHT_CONFIG || join(folder, 'trustwright', 'profiles.json')
}

/** Stores a profile. The file has a secret, so that only its owner can read it. */
export function storeProfile(env: NodeJS.ProcessEnv, name: string, content: Profile): void {
  const file = profilesFile(env)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const { profiles } = readProfiles(file)
  const text = JSON.stringify({ profiles: { ...profiles, [name]: content } }, null, 2)
  writeFileSync(`${file}.new`, `${text}\n`, { mode: 0o600 })
  // The mode applies to a new file only.
  chmodSync(`${file}.new`, 0o600)
  renameSync(`${file}.new`, file)
}

/**
 * Returns a profile. Without a name: the credentials of `TRUSTWRIGHT_BASE_URL`, `TRUSTWRIGHT_CLIENT_ID` and
 * `TRUSTWRIGHT_CLIENT_SECRET`, or of the profile `default`.
 */
export function findProfile(env: NodeJS.ProcessEnv, name: string | undefined): Profile {
  const {
    TRUSTWRIGHT_BASE_URL: baseUrl,
    TRUSTWRIGHT_CLIENT_ID: clientId,
    TRUSTWRIGHT_CLIENT_SECRET: clientSecret,
  } = env
  if (name === undefined && baseUrl && clientId && clientSecret) return { baseUrl, clientId, clientSecret }
  const wanted = name ?? (env.TRUSTWRIGHT_PROFILE || 'default')
  const file = profilesFile(env)
  const { profiles } = readProfiles(file)
  const found = Object.hasOwn(profiles, wanted) ? profiles[wanted] : undefined
  if (found) return found
  const names = Object.keys(profiles)
  throw new UsageError(
    names.length === 0
      ? 'There is no profile. Run "trustwright login --base-url URL --client-id ID".'
      : `${file} has no profile "${wanted}", but ${names.join(', ')}. Use --profile, or run "trustwright login --profile ${wanted}".`,
  )
}

function readProfiles(file: string): Profiles {
  if (!existsSync(file)) return { profiles: {} }
  try {
    const { profiles }: Partial<Profiles> = JSON.parse(readFileSync(file, 'utf8'))
    return { profiles: profiles ?? {} }
  } catch {
    throw new UsageError(`${file} is not JSON. Delete it and run "trustwright login".`)
  }
}
