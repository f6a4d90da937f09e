import { chmodSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Credentials } from '../../../shared/client/token.ts'
import { readTextFile } from '../../../shared/read-text-file.ts'
import { UsageError } from './command.ts'

/** A session of the console that a browser allowed, instead of the credentials of a client. */
interface Session {
  baseUrl: string
  /** The value of the header `Cookie`. */
  cookie: string
}

export type Profile = Credentials | Session

/** Returns the file of the profiles: `TRUSTWRIGHT_CONFIG`, or a file in the configuration folder of the user. */
export function profilesFile(env: NodeJS.ProcessEnv): string {
  const folder = env.XDG_CONFIG_HOME || join(homedir(), '.config')
  return env.TRUSTWRIGHT_CONFIG || join(folder, 'trustwright', 'profiles.json')
}

/** Stores a profile. */
export function storeProfile(env: NodeJS.ProcessEnv, name: string, content: Profile): void {
  writeProfiles(env, { ...storedProfiles(env), [name]: content })
}

/** Removes a stored profile. */
export function removeProfile(env: NodeJS.ProcessEnv, name: string): void {
  const { [name]: _removed, ...others } = storedProfiles(env)
  writeProfiles(env, others)
}

/** Writes the file of the profiles. It has secrets, so that only its owner can read it. */
function writeProfiles(env: NodeJS.ProcessEnv, profiles: Record<string, Profile>): void {
  const file = profilesFile(env)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const text = JSON.stringify({ profiles }, null, 2)
  writeFileSync(`${file}.new`, `${text}\n`, { mode: 0o600 })
  // The mode applies to a new file only.
  chmodSync(`${file}.new`, 0o600)
  renameSync(`${file}.new`, file)
}

/** Returns the origin of a base URL. Throws a `UsageError` that has the `name` of the option or variable. */
export function parseOrigin(text: string, name: string): string {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol)) return url.origin
  throw new UsageError(`${name} must be a URL such as https://acme.issuer.example`)
}

/** Returns the name of the profile that a command uses. */
export function profileNameOf(env: NodeJS.ProcessEnv, name: string | undefined): string {
  return name ?? (env.TRUSTWRIGHT_PROFILE || 'default')
}

/** Returns a profile. Without a name: the client of the variables, or the profile of `TRUSTWRIGHT_PROFILE`, or `default`. */
export function findProfile(env: NodeJS.ProcessEnv, name: string | undefined): Profile {
  const client = name === undefined ? clientOfVariables(env) : undefined
  if (client) return client
  return getStoredProfile(env, profileNameOf(env, name))
}

/** Returns a profile of the file. */
export function getStoredProfile(env: NodeJS.ProcessEnv, name: string): Profile {
  const profiles = storedProfiles(env)
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (profile) return profile
  const names = Object.keys(profiles)
  throw new UsageError(
    names.length === 0
      ? 'There is no profile. Run "trustwright login --base-url URL --client-id ID".'
      : `${profilesFile(env)} has no profile "${name}", but ${names.join(', ')}. Use --profile, or run "trustwright login --profile ${name}".`,
  )
}

/** The variables of a client, which replace a profile. */
const variables = ['TRUSTWRIGHT_BASE_URL', 'TRUSTWRIGHT_CLIENT_ID', 'TRUSTWRIGHT_CLIENT_SECRET'] as const

/** Returns the client of the variables. A part of them is refused, because the profile can be of another tenant. */
export function clientOfVariables(env: NodeJS.ProcessEnv): Credentials | undefined {
  const [baseUrl, clientId, clientSecret] = variables.map((name) => env[name])
  if (baseUrl && clientId && clientSecret)
    return { baseUrl: parseOrigin(baseUrl, 'TRUSTWRIGHT_BASE_URL'), clientId, clientSecret }
  const present = variables.filter((name) => env[name])
  if (present.length === 0) return undefined
  const missing = variables.filter((name) => !env[name]).join(' and ')
  const verb = present.length === 1 ? 'is' : 'are'
  throw new UsageError(`Set ${missing} too, or use --profile: ${present.join(' and ')} ${verb} set.`)
}

/** Returns the profiles of the file, by name. */
export function storedProfiles(env: NodeJS.ProcessEnv): Record<string, Profile> {
  const file = profilesFile(env)
  if (!existsSync(file)) return {}
  try {
    const { profiles }: { profiles?: Record<string, Profile> } = JSON.parse(readTextFile(file))
    return profiles ?? {}
  } catch {
    throw new UsageError(`${file} is not JSON. Delete it and run "trustwright login".`)
  }
}
