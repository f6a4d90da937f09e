import type { paths } from '../../../shared/client/client.ts'
import { type Arguments, choiceOf, type Option, textOf, UsageError } from './command.ts'

type Query = NonNullable<paths['/v2/credentials/issued']['get']['parameters']['query']>
type Responses = paths['/v1/users/{userId}/credentials']['get']['responses']
export type Credential = Responses[200]['content']['application/json']['data'][number]

/** The filters of `GET /v2/credentials/issued`. */
export type CredentialFilter = Pick<
  Query,
  'configurationId' | 'state' | 'profile' | 'type' | 'signerId' | 'issuedFrom' | 'issuedTo'
>

const states = ['valid', 'revoked', 'suspended', 'expired'] as const
export const profilesOfCredentials = ['compact', 'compact-semantic', 'mobile', 'sd-jwt', 'web-semantic'] as const

export const filterOptions: Record<string, Option> = {
  configuration: {
    type: 'string',
    short: 'c',
    value: 'NAME',
    help: 'Only credentials of this configuration: its name or its id',
  },
  state: {
    type: 'string',
    value: 'STATE',
    choices: states,
    help: `Only credentials in this state: ${states.join(', ')}`,
  },
  'credential-profile': {
    type: 'string',
    value: 'PROFILE',
    choices: profilesOfCredentials,
    help: `Only credentials of this profile: ${profilesOfCredentials.join(', ')}`,
  },
  type: { type: 'string', value: 'TYPE', help: 'Only credentials of this type, such as CourseCertificate' },
  signer: { type: 'string', value: 'ID', help: 'Only credentials of this signer: a certificate or a key' },
  from: {
    type: 'string',
    value: 'DAY',
    help: 'Only credentials issued on or after this day in UTC, or this timestamp',
  },
  until: {
    type: 'string',
    value: 'DAY',
    help: 'Only credentials issued on or before this day in UTC, or this timestamp',
  },
}

/** Returns the filter of the options. Throws a `UsageError` that names the option. */
export function filterOf(args: Arguments): CredentialFilter {
  const [configurationId, type] = [textOf(args, 'configuration'), textOf(args, 'type')]
  const signerId = textOf(args, 'signer')
  const state = choiceOf(args, 'state', states)
  const profile = choiceOf(args, 'credential-profile', profilesOfCredentials)
  const issuedFrom = timeOf(args, 'from', 'T00:00:00.000Z')
  const issuedTo = timeOf(args, 'until', 'T23:59:59.999Z')
  if (issuedFrom !== undefined && issuedTo !== undefined && issuedFrom > issuedTo)
    throw new UsageError('--from must not be after --until')
  return {
    ...(configurationId !== undefined && { configurationId }),
    ...(state && { state }),
    ...(profile && { profile }),
    ...(type !== undefined && { type }),
    ...(signerId !== undefined && { signerId }),
    ...(issuedFrom !== undefined && { issuedFrom }),
    ...(issuedTo !== undefined && { issuedTo }),
  }
}

/** Whether a credential matches. For the credentials of a user, because their operation has no filters. */
export function isMatch(credential: Credential, filter: CredentialFilter, nowMs: number): boolean {
  const { configurationId, state, profile, type, signerId, issuedFrom, issuedTo } = filter
  const issuedMs = Date.parse(credential.issuedDate)
  return (
    (configurationId === undefined || credential.credentialConfigurationId === configurationId) &&
    (state === undefined || stateOf(credential, nowMs) === state) &&
    (profile === undefined || credential.profile === profile) &&
    (type === undefined || credential.type === type) &&
    (signerId === undefined || credential.signerId === signerId) &&
    (issuedFrom === undefined || issuedMs >= Date.parse(issuedFrom)) &&
    (issuedTo === undefined || issuedMs <= Date.parse(issuedTo))
  )
}

/** Only a valid credential expires. */
function stateOf({ status, validUntil }: Credential, nowMs: number): (typeof states)[number] {
  if (status === 'invalid') return 'revoked'
  if (status === 'suspended') return 'suspended'
  return validUntil !== undefined && Date.parse(validUntil) <= nowMs ? 'expired' : 'valid'
}

/** Returns a timestamp. `partOfDay` completes a day. */
function timeOf(args: Arguments, name: string, partOfDay: string): string | undefined {
  const text = textOf(args, name)
  if (text === undefined) return undefined
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text)
  const time = new Date(isDay ? text + partOfDay : text)
  const isTime = isDay || /^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/.test(text)
  const isReal = isTime && isRealDay(text.slice(0, 10)) && !Number.isNaN(time.getTime())
  if (!isReal) throw new UsageError(`--${name} must be a day such as 2026-03-01, or a timestamp with a time zone`)
  return time.toISOString()
}

/** JavaScript takes the 30th of February as the 2nd of March. */
function isRealDay(day: string): boolean {
  const time = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day)
}
