import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { Misconfigured } from './dependency.ts'

const flag = z
  .enum(['0', '1', 'true', 'false'])
  .default('0')
  .transform((value) => value === '1' || value === 'true')
  .describe('1 or 0')

const listOf = (isGood: (item: string) => boolean) =>
  z
    .string()
    .default('')
    .transform((value) =>
      value
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean),
    )
    .refine((items) => items.every(isGood))

const whole = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.number().min(least).max(most))

const milliseconds = (least: number, most: number) => whole(least, most)
const inMs = (least: number, most: number) => `a number of milliseconds from ${least} to ${most}`
const perMinute = whole(0, 999_999_999)
const ofAMinute = 'a number of requests, or 0 for any'
const port = whole(1, 65_535)
const aPort = 'a port, 1 to 65535'
const anAddress = 'an IP address or a name of this machine'
const secret = z.string()
const host = z.string().refine(isHost)
const printable = z.string().regex(/^[\x20-\x7e]{1,2000}$/)
const claimName = z.string().regex(/^\P{Cc}{1,200}$/u)
const aClaim = 'the name of a claim, or a dotted path to one'

/**
 * Every setting, as the environment has it; one that is empty is not set. What each has to be is said as a refusal says it. `docs/settings.md`
 * tells of all of them.
 */
export const settings = {
  NODE_ENV: z
    .enum(['development', 'production', 'test'])
    .default('development')
    .describe('production, development or test'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('trace, debug, info, warn, error, fatal or silent'),
  HOST: z.string().refine(isAddress).optional().describe(anAddress),
  PORT: whole(1, 65_531).default(3000).describe('a port, 1 to 65531'),
  OPS_HOST: z.string().refine(isAddress).default('127.0.0.1').describe(anAddress),
  OPS_PORT: port.optional().describe(aPort),
  SIGNING_OPS_PORT: whole(0, 65_535).optional().describe('a port, 1 to 65535, or 0 for none'),
  WORKER_OPS_PORT: whole(0, 65_535).optional().describe('a port, 1 to 65535, or 0 for none'),
  STOP_NOTICE_MS: milliseconds(0, 5000).optional().describe(inMs(0, 5000)),
  DATA_DIR: z.string().default('.data').describe('a folder'),
  REDIS_URL: z
    .url({ protocol: /^(redis|rediss|unix)$/ })
    .optional()
    .describe(
      'redis://HOST:PORT, rediss://HOST:PORT or unix:///PATH, with what is special in a password percent-encoded',
    ),
  REDIS_PREFIX: z
    .string()
    .regex(/^[\w-]+$/)
    .default('trustwright')
    .describe('letters, digits, - and _'),
  DATABASE_URL: z
    .string()
    .refine(isDatabaseUrl)
    .optional()
    .describe(
      'file:PATH or postgres://USER:PASSWORD@HOST/DATABASE, with what is special in a password percent-encoded',
    ),
  PLATFORM_DOMAIN: host
    .optional()
    .describe('a host name such as issuer.example.org, with a port where the public needs one'),
  PLATFORM_HOST: z
    .string()
    .refine((text) => isHost(text) || isHostOfAddress(text))
    .optional()
    .describe('a host name such as platform.issuer.example.org, with a port where the public needs one'),
  PUBLIC_SCHEME: z.enum(['http', 'https']).optional().describe('http or https'),
  TRUSTED_PROXIES: listOf(isAddressRange).describe(
    'addresses or CIDR ranges such as 10.0.0.0/8 or 2001:db8::1, with commas between them',
  ),
  SERVICE_SECRET: secret.optional(),
  KEY_ENCRYPTION_KEY: secret.optional(),
  OUTBOUND_ALLOW_LOOPBACK: flag,
  OUTBOUND_ALLOW_ORIGINS: listOf(isOrigin).describe('origins such as http://127.0.0.1:3002, with commas between them'),
  PROVIDER_PORT: whole(0, 65_535).optional().describe('a port, 1 to 65535, or 0 for none'),
  PLATFORM_SIGN_IN_ISSUER: z
    .string()
    .refine((text) => /^https?:/.test(text) && URL.canParse(text))
    .optional()
    .describe('the issuer of an OpenID Connect provider, such as https://login.example.org'),
  PLATFORM_SIGN_IN_CLIENT_ID: printable.optional().describe('the id of this service at the provider'),
  PLATFORM_SIGN_IN_CLIENT_SECRET: printable.optional().describe('the secret of this service at the provider'),
  PLATFORM_SIGN_IN_AUTH_METHOD: z
    .enum(['client_secret_basic', 'client_secret_post'])
    .default('client_secret_basic')
    .describe('client_secret_basic or client_secret_post'),
  PLATFORM_SIGN_IN_NAME: z.string().trim().min(1).max(100).default('Single sign-on').describe('1 to 100 characters'),
  PLATFORM_SIGN_IN_SCOPE: z
    .string()
    .regex(/^(?=(.* )?openid( |$))[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/)
    .default('openid profile')
    .describe('scopes with one space between them, openid among them'),
  PLATFORM_SIGN_IN_CLAIM: claimName.default('groups').describe(aClaim),
  PLATFORM_SIGN_IN_VALUES: listOf(() => true).describe('values of the claim, with commas between them'),
  PLATFORM_SIGN_IN_USER_CLAIM: claimName.default('sub').describe(aClaim),
  CREDENTIAL_DEADLINE_MS: milliseconds(100, 60_000).default(8000).describe(inMs(100, 60_000)),
  LIMIT_ANONYMOUS_PER_MINUTE: perMinute.optional().describe(ofAMinute),
  LIMIT_FAILED_SECRETS_PER_MINUTE: perMinute.default(60).describe(ofAMinute),
  LIMIT_MANAGEMENT_WRITES_PER_MINUTE: perMinute.default(0).describe(ofAMinute),
  LIMIT_ISSUANCES_PER_MINUTE: perMinute.default(0).describe(ofAMinute),
  LIMIT_REGISTRATIONS_PER_DAY: whole(1, 999_999_999).default(1000).describe('a number of registrations from 1'),
}

export type SettingName = keyof typeof settings
export type Settings<Name extends SettingName> = { [Each in Name]: z.output<(typeof settings)[Each]> }
export type Environment = Record<string, string | undefined>

/** What is not repeated where it is wrong: whoever reads the line has no business with it. */
const secretNames: readonly SettingName[] = [
  'SERVICE_SECRET',
  'KEY_ENCRYPTION_KEY',
  'DATABASE_URL',
  'REDIS_URL',
  'PLATFORM_SIGN_IN_CLIENT_SECRET',
]

/** Reads settings of the environment. Throws Misconfigured with one line that names each that is wrong, and what it has to be. */
export function readSettings<Name extends SettingName>(names: readonly Name[], env: Environment): Settings<Name> {
  const read = names.map((name) => ({ name, result: settings[name].safeParse(env[name] || undefined) }))
  refuse(read.flatMap(({ name, result }) => (result.success ? [] : [faultOf(name, env[name])])))
  // Boundary: each was read by its own schema.
  return Object.fromEntries(read.map(({ name, result }) => [name, result.data])) as Settings<Name>
}

/** Throws Misconfigured with all that is wrong in one line. */
export function refuse(faults: readonly string[]): void {
  if (faults.length > 0) throw new Misconfigured(faults.join(' '))
}

function faultOf(name: SettingName, value = ''): string {
  const given = secretNames.includes(name) ? '' : `, and is ${JSON.stringify(value.slice(0, 100))}`
  return `${name} has to be ${settings[name].description}${given}.`
}

/** A host as it stands in an address: a name of letters, digits and hyphens, and perhaps a port. Tenants are names below it, which no IP address has. */
function isHost(text: string): boolean {
  const [, name = '', portOf = '1'] = /^(.*?)(?::(\d{1,5}))?$/.exec(text) ?? []
  const labels = name.split('.')
  const isName = name.length <= 200 && labels.every((label) => /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/i.test(label))
  return isName && !/^\d+$/.test(labels.at(-1) ?? '') && Number(portOf) >= 1 && Number(portOf) <= 65_535
}

function isHostOfAddress(text: string): boolean {
  return URL.canParse(`http://${text}`) && /^[\d.:[\]a-f]+$/i.test(text) && new URL(`http://${text}`).host === text
}

/** For a socket to listen on; that the machine has it is seen then. */
function isAddress(text: string): boolean {
  return ipaddr.isValid(text) || /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(text)
}

/** One address, or all that begin like it. IPv4 in four parts: the shorter forms mean something else to everybody. */
function isAddressRange(text: string): boolean {
  const [address = '', bits] = text.split('/')
  const isKnown = ipaddr.IPv4.isValidFourPartDecimal(address) || (address.includes(':') && ipaddr.isValid(address))
  if (!isKnown || bits === undefined) return isKnown
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (address.includes(':') ? 128 : 32) && text.split('/').length === 2
}

function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
}

function isDatabaseUrl(text: string): boolean {
  return /^file:./.test(text) || (/^postgres(ql)?:/.test(text) && URL.canParse(text))
}
