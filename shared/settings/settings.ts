import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { type KeyPart, keyParts, keyProviderPattern, softwareProvider } from '../domain/identifiers/key-policy.ts'
import { Misconfigured } from '../process/dependency.ts'
import { parseRoles } from '../process/roles.ts'
import type { SealFormat } from '../secrets/sealing.ts'
import { urlsOfHosts } from './postgres-url.ts'
import { parseClusterUrl } from './redis-cluster-url.ts'
import { isSentinelUrl, parseSentinelUrl } from './redis-sentinel-url.ts'
import { secretSettings, settingValue } from './secret-files.ts'

const flag = z
  .enum(['0', '1', 'true', 'false'])
  .default('0')
  .transform((value) => value === '1' || value === 'true')
  .describe('1 or 0')

const listOf = (isValid: (item: string) => boolean) =>
  z
    .string()
    .default('')
    .transform((value) =>
      value
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean),
    )
    .refine((items) => items.every(isValid))

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max))

const msText = (min: number, max: number) => `a number of milliseconds from ${min} to ${max}`
const perMinute = integer(0, 999_999_999)
const perMinuteText = 'a number of requests, or 0 for no limit'
const port = integer(1, 65_535)
const portText = 'a port, 1 to 65535'
const optionalPort = integer(0, 65_535)
const optionalPortText = 'a port, 1 to 65535, or 0 for none'
const addressText = 'an IP address or a name of this machine'
const secret = z.string()
/** A URI such as pkcs11:... is never the name of a file. */
const absolutePath = z.string().regex(/^\/[^\0]*$/)
const host = z.string().refine(isHost)
const printable = z.string().regex(/^[\x20-\x7e]{1,2000}$/)
const claimName = z.string().regex(/^\P{Cc}{1,200}$/u)
const claimText = 'the name of a claim, or a dotted path to a claim'

/**
 * All environment variables of the service. An empty one counts as not set. The description completes the error message "NAME must be
 * ...". `docs/settings.md` explains each setting.
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
  ROLES: z
    .string()
    .transform((text, { issues, value }) => {
      const roles = parseRoles(text)
      if (!roles) issues.push({ code: 'custom', input: value })
      return roles ?? []
    })
    .optional()
    .describe('all, or one or more of web, signing and worker, with commas between them'),
  HOST: z.string().refine(isAddress).optional().describe(addressText),
  PORT: integer(1, 65_531).default(3000).describe('a port, 1 to 65531'),
  OPS_HOST: z.string().refine(isAddress).default('127.0.0.1').describe(addressText),
  OPS_PORT: port.optional().describe(portText),
  SIGNING_OPS_PORT: optionalPort.optional().describe(optionalPortText),
  WORKER_OPS_PORT: optionalPort.optional().describe(optionalPortText),
  STOP_NOTICE_MS: integer(0, 5000).optional().describe(msText(0, 5000)),
  DATA_DIR: z.string().default('.data').describe('a folder'),
  QUEUE: z.enum(['redis', 'database']).optional().describe('redis or database'),
  REDIS_URL: z
    .string()
    .refine(isRedisUrl)
    .optional()
    .describe(
      'redis://HOST:PORT, rediss://HOST:PORT, unix:///PATH, or for a Redis Cluster redis+cluster://HOST:PORT,HOST:PORT, for Sentinels redis+sentinel://HOST:PORT,HOST:PORT/MASTER, or rediss+cluster://... or rediss+sentinel://..., with special characters of the password percent-encoded',
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
      'file:PATH or postgres://USER:PASSWORD@HOST/DATABASE, with commas between several hosts, and with special characters of the password percent-encoded',
    ),
  DATABASE_READ_URL: z
    .string()
    .refine((text) => urlsOfHosts(text).length > 0)
    .optional()
    .describe('postgres://USER:PASSWORD@HOST/DATABASE, with special characters of the password percent-encoded'),
  PLATFORM_DOMAIN: host
    .optional()
    .describe('a host name such as issuer.example.org, with a port if it is not the default port'),
  PLATFORM_HOST: z
    .string()
    .refine((text) => isHost(text) || isHostOfAddress(text))
    .optional()
    .describe('a host name such as platform.issuer.example.org, with a port if it is not the default port'),
  PUBLIC_SCHEME: z.enum(['http', 'https']).optional().describe('http or https'),
  TRUSTED_PROXIES: listOf(isAddressRange).describe(
    'addresses or CIDR ranges such as 10.0.0.0/8 or 2001:db8::1, with commas between them',
  ),
  SERVICE_SECRET: secret.optional(),
  KEY_ENCRYPTION_KEY: secret.optional(),
  KEY_PROVIDER: z
    .string()
    .regex(keyProviderPattern)
    .default(softwareProvider)
    .describe('software, pkcs11, or remote: and the name of a remote signer'),
  REQUIRE_HARDWARE_KEYS: listOf((item) => keyParts.some((part) => part === item))
    // Boundary: each item is one of them.
    .transform((items) => items as KeyPart[])
    .describe(`parts of tenants with commas between them: ${keyParts.join(', ')}`),
  PKCS11_MODULE: absolutePath.optional().describe('the absolute path of a PKCS#11 library'),
  PKCS11_TOKEN: z.string().optional().describe('the RFC 7512 URI of a token, such as pkcs11:token=issuer'),
  PKCS11_PIN_FILE: absolutePath.optional().describe('the absolute path of a file with the PIN of the token'),
  KEY_SIGNERS: absolutePath.optional().describe('the absolute path of a JSON file with remote signers'),
  SEAL_FORMAT: z
    .enum(['1', '2'])
    .default('2')
    // Boundary: the text is one of the two.
    .transform((value) => Number(value) as SealFormat)
    .describe('2, or 1 while processes of an earlier version run'),
  OUTBOUND_ALLOW_LOOPBACK: flag,
  OUTBOUND_ALLOW_ORIGINS: listOf(isOrigin).describe('origins such as http://127.0.0.1:3002, with commas between them'),
  PROVIDER_PORT: optionalPort.optional().describe(optionalPortText),
  PLATFORM_SIGN_IN_ISSUER: z
    .string()
    .refine((text) => /^https?:/.test(text) && URL.canParse(text))
    .optional()
    .describe('the issuer of an OpenID Connect provider, such as https://login.example.org'),
  PLATFORM_SIGN_IN_CLIENT_ID: printable.optional().describe('the id of this service at the provider'),
  PLATFORM_SIGN_IN_CLIENT_SECRET: printable.optional().describe('the secret of this service at the provider'),
  PLATFORM_SIGN_IN_AUTH_METHOD: z
    .enum(['client_secret_basic', 'client_secret_post', 'private_key_jwt'])
    .default('client_secret_basic')
    .describe('client_secret_basic, client_secret_post or private_key_jwt'),
  PLATFORM_SIGN_IN_ASSERTION_AUDIENCE: z
    .enum(['issuer', 'token-endpoint'])
    .default('issuer')
    .describe('issuer or token-endpoint'),
  PLATFORM_SIGN_IN_NAME: z.string().trim().min(1).max(100).default('Single sign-on').describe('1 to 100 characters'),
  PLATFORM_SIGN_IN_SCOPE: z
    .string()
    .regex(/^(?=(.* )?openid( |$))[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/)
    .default('openid profile')
    .describe('scopes with one space between them, openid among them'),
  PLATFORM_SIGN_IN_CLAIM: claimName.default('groups').describe(claimText),
  PLATFORM_SIGN_IN_VALUES: listOf(() => true).describe('values of the claim, with commas between them'),
  PLATFORM_SIGN_IN_USER_CLAIM: claimName.default('sub').describe(claimText),
  CREDENTIAL_DEADLINE_MS: integer(100, 60_000).default(8000).describe(msText(100, 60_000)),
  LIMIT_ANONYMOUS_PER_MINUTE: perMinute.optional().describe(perMinuteText),
  LIMIT_FAILED_SECRETS_PER_MINUTE: perMinute.default(60).describe(perMinuteText),
  LIMIT_MANAGEMENT_WRITES_PER_MINUTE: perMinute.default(0).describe(perMinuteText),
  LIMIT_ISSUANCES_PER_MINUTE: perMinute.default(0).describe(perMinuteText),
  LIMIT_REGISTRATIONS_PER_DAY: integer(1, 999_999_999).default(1000).describe('a number of registrations from 1'),
  METRICS_TENANTS: integer(0, 100_000).default(1000).describe('a number of tenants from 0 to 100000'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('the http or https URL of an OTLP receiver, such as http://127.0.0.1:4318'),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.literal('http/protobuf').default('http/protobuf').describe('http/protobuf'),
  OTEL_SDK_DISABLED: z
    .string()
    .regex(/^(true|false)$/i)
    .default('false')
    .describe('true or false'),
  OTEL_TRACES_SAMPLER: z
    .enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ])
    .default('parentbased_always_on')
    .describe('always_on, always_off or traceidratio, each also with the prefix parentbased_'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0?\.\d{1,9}|[01](\.0{1,9})?)$/)
    .default('1')
    .transform(Number)
    .describe('a ratio from 0 to 1, such as 0.1'),
  OTEL_BSP_SCHEDULE_DELAY: integer(1, 600_000).default(5000).describe(msText(1, 600_000)),
  OTEL_BSP_EXPORT_TIMEOUT: integer(1, 600_000).default(30_000).describe(msText(1, 600_000)),
  OTEL_BSP_MAX_QUEUE_SIZE: integer(1, 1_000_000).default(2048).describe('a number of spans from 1 to 1000000'),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: integer(1, 1_000_000).default(512).describe('a number of spans from 1 to 1000000'),
}

export type SettingName = keyof typeof settings
export type Settings<Name extends SettingName> = { [Each in Name]: z.output<(typeof settings)[Each]> }
export type Environment = Record<string, string | undefined>

/**
 * Reads settings from the environment, and secrets also from the files of `NAME_FILE`. Throws Misconfigured with one line that names each wrong
 * setting and its accepted values.
 */
export function readSettings<Name extends SettingName>(names: readonly Name[], env: Environment): Settings<Name> {
  const read = names.map((name) => ({ name, result: settings[name].safeParse(settingValue(name, env)) }))
  refuse(read.flatMap(({ name, result }) => (result.success ? [] : [faultOf(name, env[name])])))
  // Boundary: each was read by its own schema.
  return Object.fromEntries(read.map(({ name, result }) => [name, result.data])) as Settings<Name>
}

/** Throws Misconfigured with all faults in one line, if there are any. */
export function refuse(faults: readonly string[]): void {
  if (faults.length > 0) throw new Misconfigured(faults.join(' '))
}

/** Does not show secrets. A PIN is easily taken for the value of PKCS11_PIN_FILE. */
function faultOf(name: SettingName, value = ''): string {
  const isSecret = name === 'PKCS11_PIN_FILE' || secretSettings.some((secret) => secret === name)
  const hint = isSecret ? '' : `, but is ${JSON.stringify(value.slice(0, 100))}`
  return `${name} must be ${settings[name].description}${hint}.`
}

/** Accepts a host name with an optional port. An IP address is not accepted, because tenants have subdomains of the host. */
function isHost(text: string): boolean {
  const [, name = '', portOf = '1'] = /^(.*?)(?::(\d{1,5}))?$/.exec(text) ?? []
  const labels = name.split('.')
  const isName = name.length <= 200 && labels.every((label) => /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/i.test(label))
  return isName && !/^\d+$/.test(labels.at(-1) ?? '') && Number(portOf) >= 1 && Number(portOf) <= 65_535
}

function isHostOfAddress(text: string): boolean {
  return URL.canParse(`http://${text}`) && /^[\d.:[\]a-f]+$/i.test(text) && new URL(`http://${text}`).host === text
}

/** Accepts an address to listen on. Whether the machine has it is checked when the process listens. */
function isAddress(text: string): boolean {
  return ipaddr.isValid(text) || /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(text)
}

/** Accepts an address or a CIDR range. IPv4 must have four parts, because shorter forms are ambiguous. */
function isAddressRange(text: string): boolean {
  const [address = '', bits] = text.split('/')
  const isKnown = ipaddr.IPv4.isValidFourPartDecimal(address) || (address.includes(':') && ipaddr.isValid(address))
  if (!isKnown || bits === undefined) return isKnown
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (address.includes(':') ? 128 : 32) && text.split('/').length === 2
}

function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
}

function isRedisUrl(text: string): boolean {
  if (isSentinelUrl(text)) return parseSentinelUrl(text) !== undefined
  return parseClusterUrl(text) !== undefined || (/^(rediss?|unix):/.test(text) && URL.canParse(text))
}

function isDatabaseUrl(text: string): boolean {
  return /^file:./.test(text) || urlsOfHosts(text).length > 0
}
