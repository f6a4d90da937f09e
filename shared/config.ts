import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import type { Rates } from './domain/tenancy/limits.ts'
import { faultsOfPlatformSignIn, type PlatformSignIn, platformSignInOf } from './domain/tenancy/platform-sign-in.ts'
import { faultsOfMissing, readKeys } from './key-files.ts'
import { normalHost } from './normal-host.ts'
import type { ServiceSecrets } from './secrets.ts'
import { type Environment, readSettings, refuse, type SettingName, type Settings, settings } from './settings.ts'

export interface Config {
  /** Of the product, from package.json. */
  version: string
  production: boolean
  logLevel: string
  /** The address that the API listens on; undefined for all of the machine. */
  host: string | undefined
  port: number
  opsHost: string
  opsPort: number
  /** Of signing processes, and of workers that do not sign; 0 for none. */
  signingOpsPort: number
  workerOpsPort: number
  /** How long a process that stops goes on answering, as not ready, so that proxies turn to others. */
  stopNoticeMs: number
  dataDir: string
  redisUrl: string
  /** Before every key and channel, so that services can share a Redis. */
  redisPrefix: string
  databaseUrl: string
  /** Tenants are reached at `{subdomain}.{platformDomain}`; with the port where it is not the scheme's own. */
  platformDomain: string
  /** The host that serves `/v1/tenants`. */
  platformHost: string
  publicScheme: 'http' | 'https'
  /** Addresses or CIDR ranges whose `X-Forwarded-*` headers are believed. */
  trustedProxies: string[]
  outboundAllowLoopback: boolean
  /** Origins at addresses of loopback that outbound calls may reach all the same. */
  outboundAllowOrigins: string[]
  /** Of the development provider that `npm start` brings; 0 for none. */
  providerPort: number
  /** Where the platform's own people sign in; undefined for its clients alone. */
  platformSignIn: PlatformSignIn | undefined
  /** How long the credential endpoint waits for its signature. */
  credentialDeadlineMs: number
  /** What may happen in a minute, where the platform says nothing else for a tenant. */
  rates: Rates
  /** Without key attestation, of one address at one tenant. */
  registrationsPerDay: number
  /** 32 bytes each, known to every process of this service. The first seals; all of them open, so that one can be replaced. */
  serviceSecrets: ServiceSecrets
}

/** Of every process. The key-encryption keys are read apart: by the signing process, and by no other. */
const common = (Object.keys(settings) as SettingName[]).filter((name) => name !== 'KEY_ENCRYPTION_KEY')
type Common = Settings<Exclude<SettingName, 'KEY_ENCRYPTION_KEY'>>

/** Reads the environment of any process. Throws Misconfigured, which names every setting that is wrong. */
export function readConfig(env: Environment): Config {
  const values: Common = readSettings(common, env)
  const production = values.NODE_ENV === 'production'
  const opsPort = values.OPS_PORT ?? values.PORT + 1
  refuse([
    ...faultsOfMissing('SERVICE_SECRET', values.SERVICE_SECRET, values),
    ...(production && !values.PLATFORM_DOMAIN ? [missingDomain] : []),
    ...faultsOfPlatformSignIn(values),
    ...faultsOfPorts([
      { name: 'PORT', port: values.PORT, host: values.HOST },
      { name: 'OPS_PORT', port: opsPort, host: values.OPS_HOST },
    ]),
  ])
  return {
    version: manifest.version,
    production,
    logLevel: values.LOG_LEVEL,
    host: values.HOST,
    port: values.PORT,
    opsHost: values.OPS_HOST,
    opsPort,
    signingOpsPort: values.SIGNING_OPS_PORT ?? values.PORT + 3,
    workerOpsPort: values.WORKER_OPS_PORT ?? values.PORT + 4,
    stopNoticeMs: values.STOP_NOTICE_MS ?? (production ? 2000 : 0),
    dataDir: values.DATA_DIR,
    redisUrl: values.REDIS_URL ?? 'redis://127.0.0.1:6379',
    redisPrefix: values.REDIS_PREFIX,
    databaseUrl: databaseUrlOf(values),
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
    serviceSecrets: readKeys('SERVICE_SECRET', values.SERVICE_SECRET, values),
  }
}

const missingDomain =
  'PLATFORM_DOMAIN is missing. In production it has to be set: the host name below which tenants are reached, such as issuer.example.org.'

function hostsOf(
  values: Settings<'PORT' | 'PLATFORM_DOMAIN' | 'PLATFORM_HOST' | 'PUBLIC_SCHEME'>,
): Pick<Config, 'platformDomain' | 'platformHost' | 'publicScheme'> {
  const domain = values.PLATFORM_DOMAIN ?? `localhost:${values.PORT}`
  const publicScheme = values.PUBLIC_SCHEME ?? (isLoopbackName(domain) ? 'http' : 'https')
  const platformDomain = normalHost(domain, publicScheme)
  const platformHost = normalHost(values.PLATFORM_HOST ?? `platform.${platformDomain}`, publicScheme)
  return { platformDomain, platformHost, publicScheme }
}

/** Where something listens, by the setting that says so; no host for all addresses of the machine, and port 0 for nowhere. */
export interface Listening {
  name: SettingName
  port: number
  host: string | undefined
}

/** What is wrong where two of them are one. */
export function faultsOfPorts(all: readonly Listening[]): string[] {
  const used = all.filter(({ port }) => port !== 0)
  return used.flatMap((one, place) =>
    used
      .slice(place + 1)
      .filter((other) => other.port === one.port && meets(one.host, other.host))
      .map((other) => `${one.name} and ${other.name} are both ${one.port}: each needs a port of its own.`),
  )
}

function meets(one: string | undefined, other: string | undefined): boolean {
  const isAll = (host: string | undefined) => host === undefined || host === '0.0.0.0' || host === '::'
  return isAll(one) || isAll(other) || one === other
}

/** Where data are, for who has nothing to do with secrets: nothing is made that is missing. */
export function readDataLocations(env: Environment): Pick<Config, 'dataDir' | 'databaseUrl'> {
  const values = readSettings(['DATA_DIR', 'DATABASE_URL'], env)
  return { dataDir: values.DATA_DIR, databaseUrl: databaseUrlOf(values) }
}

/** Where data are and how the public reaches the hosts of tenants, for who tells an address and has nothing to do with secrets. */
export function readAddresses(env: Environment): Pick<Config, 'dataDir' | 'databaseUrl' | 'publicScheme'> {
  const places = ['DATA_DIR', 'DATABASE_URL'] as const
  const values = readSettings([...places, 'NODE_ENV', 'PORT', 'PLATFORM_DOMAIN', 'PLATFORM_HOST', 'PUBLIC_SCHEME'], env)
  if (values.NODE_ENV === 'production' && !values.PLATFORM_DOMAIN) refuse([missingDomain])
  return { dataDir: values.DATA_DIR, databaseUrl: databaseUrlOf(values), publicScheme: hostsOf(values).publicScheme }
}

/** For who prepares the database. In production it is named: of a file that nobody uses, all would be said to be well. */
export function readMigrationConfig(
  env: Environment,
): Pick<Config, 'dataDir' | 'databaseUrl' | 'logLevel' | 'production'> {
  const values = readSettings(['DATA_DIR', 'DATABASE_URL', 'LOG_LEVEL', 'NODE_ENV'], env)
  const production = values.NODE_ENV === 'production'
  if (production && !values.DATABASE_URL) {
    const { description } = settings.DATABASE_URL
    refuse([`DATABASE_URL is missing. In production it says which database is to be migrated: ${description}.`])
  }
  return { dataDir: values.DATA_DIR, databaseUrl: databaseUrlOf(values), logLevel: values.LOG_LEVEL, production }
}

function databaseUrlOf({ DATA_DIR, DATABASE_URL }: Settings<'DATA_DIR' | 'DATABASE_URL'>): string {
  return DATABASE_URL ?? `file:${join(DATA_DIR, 'trustwright.db')}`
}

/**
 * The key-encryption keys, 32 bytes each: the first wraps, all of them open, so that they can be rotated. Read by the
 * signing process, and by `npm start`, which starts it; no other process calls this.
 */
export function readKeyEncryptionKeys(env: Environment): Buffer[] {
  const { KEY_ENCRYPTION_KEY, ...places } = readSettings(
    ['KEY_ENCRYPTION_KEY', 'DATA_DIR', 'DATABASE_URL', 'NODE_ENV'],
    env,
  )
  refuse(faultsOfMissing('KEY_ENCRYPTION_KEY', KEY_ENCRYPTION_KEY, places))
  return [...readKeys('KEY_ENCRYPTION_KEY', KEY_ENCRYPTION_KEY, places)]
}

function isLoopbackName(host: string): boolean {
  return /(^|\.)localhost(:\d+)?$/i.test(host)
}
