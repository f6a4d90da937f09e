import { join } from 'node:path'
import { type PlatformKeyPolicy, softwareProvider } from '../domain/identifiers/key-policy.ts'
import type { Rates } from '../domain/tenancy/limits.ts'
import { faultsOfPlatformSignIn, type PlatformSignIn, platformSignInOf } from '../domain/tenancy/platform-sign-in.ts'
import { normalHost } from '../normal-host.ts'
import { productVersion } from '../process/product-version.ts'
import type { ProcessRole } from '../process/roles.ts'
import type { SealFormat } from '../secrets/sealing.ts'
import type { ServiceSecrets } from '../secrets/secrets.ts'
import { faultsOfMissing, readKeys } from './key-files.ts'
import { type Environment, readSettings, refuse, type SettingName, type Settings, settings } from './settings.ts'

/** The system that stores the queues: the setting `QUEUE`. */
export type QueueIn = 'redis' | 'database'

export interface Config {
  /** The version of the product, from package.json. */
  version: string
  production: boolean
  logLevel: string
  /** The roles that share a process. Undefined for the default of the program. */
  roles: ProcessRole[] | undefined
  /** The address that the API listens on. Undefined for all addresses of the machine. */
  host: string | undefined
  port: number
  opsHost: string
  opsPort: number
  /** The port for the metrics of signing processes. 0 for none. */
  signingOpsPort: number
  /** The port for the metrics of workers that do not sign. 0 for none. */
  workerOpsPort: number
  /** The time that a stopping process still answers requests while it reports that it is not ready, so that proxies choose another. */
  stopNoticeMs: number
  dataDir: string
  /** The system that stores the queues. */
  queueIn: QueueIn
  redisUrl: string
  /** The prefix of all keys and channels, so that services can share a Redis. */
  redisPrefix: string
  databaseUrl: string
  /** A standby of the database, for operations that only read. */
  databaseReadUrl: string | undefined
  /** Tenants have the hosts `{subdomain}.{platformDomain}`. It has a port if that is not the default of the scheme. */
  platformDomain: string
  /** The host that serves `/v1/tenants`. */
  platformHost: string
  publicScheme: 'http' | 'https'
  /** Addresses or CIDR ranges whose `X-Forwarded-*` headers are trusted. */
  trustedProxies: string[]
  outboundAllowLoopback: boolean
  /** Origins at loopback addresses that outbound calls may reach. */
  outboundAllowOrigins: string[]
  /** The port of the development provider of `npm start`. 0 for none. */
  providerPort: number
  /** The provider for sign-in at the platform. Undefined if only clients have access. */
  platformSignIn: PlatformSignIn | undefined
  /** The time that the credential endpoint waits for its signature. */
  credentialDeadlineMs: number
  /** Default limits per minute. The platform can set others for a tenant. */
  rates: Rates
  /** Default limit of registrations without key attestation, per address and tenant. */
  registrationsPerDay: number
  /** Tenants with their own label in the metric of their credentials. */
  metricsTenants: number
  /** 32 bytes each, the same in every process of the service. The first seals. All open, so that one can be replaced. */
  serviceSecrets: ServiceSecrets
  /** The format of new seals. Processes open both. */
  sealFormat: SealFormat
  /** Where the keys of tenants are by default, and which must not be software keys. */
  keyPolicy: PlatformKeyPolicy
}

/** The settings of signing processes only: the key-encryption keys and the remote signers. */
const ofSigning = ['KEY_ENCRYPTION_KEY', 'KEY_SIGNERS'] as const
type OfSigning = (typeof ofSigning)[number]
const common = (Object.keys(settings) as SettingName[]).filter((name) => !ofSigning.some((each) => each === name))
type Common = Settings<Exclude<SettingName, OfSigning>>

/** Reads the environment of any process. Throws Misconfigured with all faults. */
export function readConfig(env: Environment): Config {
  const values: Common = readSettings(common, env)
  const production = values.NODE_ENV === 'production'
  const opsPort = values.OPS_PORT ?? values.PORT + 1
  refuse([
    ...faultsOfMissing('SERVICE_SECRET', values.SERVICE_SECRET, values),
    ...(production && !values.PLATFORM_DOMAIN ? [missingDomain] : []),
    ...faultsOfQueue(values, production),
    ...(values.DATABASE_READ_URL && databaseUrlOf(values).startsWith('file:') ? [noPostgres] : []),
    ...faultsOfPlatformSignIn(values),
    ...(values.REQUIRE_HARDWARE_KEYS.length > 0 && values.KEY_PROVIDER === softwareProvider ? [noHardware] : []),
    ...faultsOfPorts([
      { name: 'PORT', port: values.PORT, host: values.HOST },
      { name: 'OPS_PORT', port: opsPort, host: values.OPS_HOST },
    ]),
  ])
  return {
    version: productVersion,
    production,
    logLevel: values.LOG_LEVEL,
    roles: values.ROLES,
    host: values.HOST,
    port: values.PORT,
    opsHost: values.OPS_HOST,
    opsPort,
    signingOpsPort: values.SIGNING_OPS_PORT ?? values.PORT + 3,
    workerOpsPort: values.WORKER_OPS_PORT ?? values.PORT + 4,
    stopNoticeMs: values.STOP_NOTICE_MS ?? (production ? 2000 : 0),
    dataDir: values.DATA_DIR,
    queueIn: queueInOf(values),
    redisUrl: values.REDIS_URL ?? 'redis://127.0.0.1:6379',
    redisPrefix: values.REDIS_PREFIX,
    databaseUrl: databaseUrlOf(values),
    databaseReadUrl: values.DATABASE_READ_URL,
    ...hostsOf(values),
    trustedProxies: values.TRUSTED_PROXIES,
    outboundAllowLoopback: values.OUTBOUND_ALLOW_LOOPBACK,
    outboundAllowOrigins: values.OUTBOUND_ALLOW_ORIGINS,
    platformSignIn: platformSignInOf(values),
    providerPort: values.PROVIDER_PORT ?? values.PORT + 2,
    credentialDeadlineMs: values.CREDENTIAL_DEADLINE_MS,
    rates: {
      anonymousPerMinute: values.LIMIT_ANONYMOUS_PER_MINUTE ?? (production ? 6000 : 0),
      failedSecretsPerMinute: values.LIMIT_FAILED_SECRETS_PER_MINUTE,
      managementWritesPerMinute: values.LIMIT_MANAGEMENT_WRITES_PER_MINUTE,
      issuancesPerMinute: values.LIMIT_ISSUANCES_PER_MINUTE,
    },
    registrationsPerDay: values.LIMIT_REGISTRATIONS_PER_DAY,
    metricsTenants: values.METRICS_TENANTS,
    serviceSecrets: readKeys('SERVICE_SECRET', values.SERVICE_SECRET, values),
    sealFormat: values.SEAL_FORMAT,
    keyPolicy: { provider: values.KEY_PROVIDER, requireHardware: values.REQUIRE_HARDWARE_KEYS },
  }
}

const missingDomain =
  'PLATFORM_DOMAIN is missing. Set it in production to the parent host name of all tenants, such as issuer.example.org.'

const noHardware =
  'REQUIRE_HARDWARE_KEYS is set, but KEY_PROVIDER is software. Set KEY_PROVIDER to the provider of tenants without one.'

const noPostgres =
  'DATABASE_READ_URL is for PostgreSQL only. Set DATABASE_URL to a PostgreSQL, or remove DATABASE_READ_URL.'

type QueueSettings = Settings<'QUEUE' | 'REDIS_URL'>

function queueInOf({ QUEUE, REDIS_URL }: QueueSettings): QueueIn {
  return QUEUE ?? (REDIS_URL === undefined ? 'database' : 'redis')
}

function faultsOfQueue({ QUEUE, REDIS_URL }: QueueSettings, production: boolean): string[] {
  if (QUEUE === 'database' && REDIS_URL !== undefined)
    return ['QUEUE is database, but REDIS_URL is set. Remove one of them.']
  if (QUEUE === 'redis' && REDIS_URL === undefined && production)
    return ['QUEUE is redis, but REDIS_URL is missing. Set it.']
  return []
}

function hostsOf(
  values: Settings<'PORT' | 'PLATFORM_DOMAIN' | 'PLATFORM_HOST' | 'PUBLIC_SCHEME'>,
): Pick<Config, 'platformDomain' | 'platformHost' | 'publicScheme'> {
  const domain = values.PLATFORM_DOMAIN ?? `localhost:${values.PORT}`
  const publicScheme = values.PUBLIC_SCHEME ?? (isLoopbackName(domain) ? 'http' : 'https')
  const platformDomain = normalHost(domain, publicScheme)
  const platformHost = normalHost(values.PLATFORM_HOST ?? `platform.${platformDomain}`, publicScheme)
  return { platformDomain, platformHost, publicScheme }
}

/** A port with the name of its setting. Without a host it is for all addresses of the machine. 0 is no port. */
export interface Listening {
  name: SettingName
  port: number
  host: string | undefined
}

/** Returns a fault for each pair of settings with the same port. */
export function faultsOfPorts(all: readonly Listening[]): string[] {
  const used = all.filter(({ port }) => port !== 0)
  return used.flatMap((one, index) =>
    used
      .slice(index + 1)
      .filter((other) => other.port === one.port && overlaps(one.host, other.host))
      .map((other) => `${one.name} and ${other.name} are both ${one.port}: each needs a port of its own.`),
  )
}

function overlaps(one: string | undefined, other: string | undefined): boolean {
  const isAll = (host: string | undefined) => host === undefined || host === '0.0.0.0' || host === '::'
  return isAll(one) || isAll(other) || one === other
}

/** Reads the locations of data for commands that need no secrets. Creates no missing file. */
export function readDataLocations(env: Environment): Pick<Config, 'dataDir' | 'databaseUrl'> {
  const values = readSettings(['DATA_DIR', 'DATABASE_URL'], env)
  return { dataDir: values.DATA_DIR, databaseUrl: databaseUrlOf(values) }
}

/** Reads the locations of data and the public scheme, for commands that print an address and need no secrets. */
export function readAddresses(env: Environment): Pick<Config, 'dataDir' | 'databaseUrl' | 'publicScheme'> {
  const locations = ['DATA_DIR', 'DATABASE_URL'] as const
  const values = readSettings(
    [...locations, 'NODE_ENV', 'PORT', 'PLATFORM_DOMAIN', 'PLATFORM_HOST', 'PUBLIC_SCHEME'],
    env,
  )
  if (values.NODE_ENV === 'production' && !values.PLATFORM_DOMAIN) refuse([missingDomain])
  return { dataDir: values.DATA_DIR, databaseUrl: databaseUrlOf(values), publicScheme: hostsOf(values).publicScheme }
}

/** Reads the settings for migrations. In production, DATABASE_URL is required: otherwise an unused default file would be migrated. */
export function readMigrationConfig(
  env: Environment,
): Pick<Config, 'dataDir' | 'databaseUrl' | 'logLevel' | 'production'> {
  const values = readSettings(['DATA_DIR', 'DATABASE_URL', 'LOG_LEVEL', 'NODE_ENV'], env)
  const production = values.NODE_ENV === 'production'
  if (production && !values.DATABASE_URL) {
    const { description } = settings.DATABASE_URL
    refuse([`DATABASE_URL is missing. Set it in production to the database to migrate: ${description}.`])
  }
  return { dataDir: values.DATA_DIR, databaseUrl: databaseUrlOf(values), logLevel: values.LOG_LEVEL, production }
}

function databaseUrlOf({ DATA_DIR, DATABASE_URL }: Settings<'DATA_DIR' | 'DATABASE_URL'>): string {
  return DATABASE_URL ?? `file:${join(DATA_DIR, 'trustwright.db')}`
}

/**
 * Reads the key-encryption keys, 32 bytes each. The first wraps. All unwrap, so that they can be rotated. Only the signing process and
 * `npm start`, which starts it, may call this.
 */
export function readKeyEncryptionKeys(env: Environment): Buffer[] {
  const { KEY_ENCRYPTION_KEY, ...locations } = readSettings(
    ['KEY_ENCRYPTION_KEY', 'DATA_DIR', 'DATABASE_URL', 'NODE_ENV'],
    env,
  )
  refuse(faultsOfMissing('KEY_ENCRYPTION_KEY', KEY_ENCRYPTION_KEY, locations))
  return [...readKeys('KEY_ENCRYPTION_KEY', KEY_ENCRYPTION_KEY, locations)]
}

function isLoopbackName(host: string): boolean {
  return /(^|\.)localhost(:\d+)?$/i.test(host)
}
