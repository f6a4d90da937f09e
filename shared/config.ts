import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import manifest from '../package.json' with { type: 'json' }
import { Misconfigured } from './dependency.ts'
import type { Rates } from './limits.ts'
import type { ServiceSecrets } from './secrets.ts'

const flag = z
  .enum(['', '0', '1', 'true', 'false'])
  .default('')
  .transform((value) => value === '1' || value === 'true')

const list = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  )

const common = z.object({
  NODE_ENV: z.string().default('development'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  HOST: z.string().min(1).optional(),
  PORT: z.coerce.number().int().min(1).max(65534).default(3000),
  OPS_HOST: z.string().min(1).default('127.0.0.1'),
  OPS_PORT: z.coerce.number().int().min(1).max(65535).optional(),
  STOP_NOTICE_MS: z.coerce.number().int().min(0).max(5000).optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  REDIS_URL: z.url({ protocol: /^(redis|rediss|unix)$/ }).optional(),
  REDIS_PREFIX: z
    .string()
    .regex(/^[\w-]+$/)
    .default('trustwright'),
  DATABASE_URL: z
    .string()
    .regex(/^(file:|postgres(ql)?:)/)
    .optional(),
  PLATFORM_DOMAIN: z.string().min(1).optional(),
  PLATFORM_HOST: z.string().min(1).optional(),
  PUBLIC_SCHEME: z.enum(['http', 'https']).optional(),
  TRUSTED_PROXIES: list,
  OUTBOUND_ALLOW_LOOPBACK: flag,
  OUTBOUND_ALLOW_ORIGINS: list,
  PROVIDER_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  CREDENTIAL_DEADLINE_MS: z.coerce.number().int().min(100).max(60_000).default(8000),
  LIMIT_ANONYMOUS_PER_MINUTE: z.coerce.number().int().min(0).optional(),
  LIMIT_FAILED_SECRETS_PER_MINUTE: z.coerce.number().int().min(0).default(60),
  LIMIT_MANAGEMENT_WRITES_PER_MINUTE: z.coerce.number().int().min(0).default(0),
  LIMIT_ISSUANCES_PER_MINUTE: z.coerce.number().int().min(0).default(0),
  SERVICE_SECRET: z.string().optional(),
})

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
  /** How long the credential endpoint waits for its signature. */
  credentialDeadlineMs: number
  /** What may happen in a minute, where the platform says nothing else for a tenant. */
  rates: Rates
  /** 32 bytes or more, known to every process of this service. */
  /** The first seals; all of them open, so that one can be replaced. */
  serviceSecrets: ServiceSecrets
}

type Environment = Record<string, string | undefined>

/** Reads the environment of any process. Throws Misconfigured, which names every variable that is wrong. */
export function readConfig(env: Environment): Config {
  const values = parse(common, env)
  const platformDomain = values.PLATFORM_DOMAIN ?? `localhost:${values.PORT}`
  const production = values.NODE_ENV === 'production'
  return {
    version: manifest.version,
    production,
    logLevel: values.LOG_LEVEL,
    host: values.HOST,
    port: values.PORT,
    opsHost: values.OPS_HOST,
    opsPort: values.OPS_PORT ?? values.PORT + 1,
    stopNoticeMs: values.STOP_NOTICE_MS ?? (production ? 2000 : 0),
    dataDir: values.DATA_DIR,
    redisUrl: values.REDIS_URL ?? 'redis://127.0.0.1:6379',
    redisPrefix: values.REDIS_PREFIX,
    databaseUrl: databaseUrlOf(values),
    platformDomain,
    platformHost: values.PLATFORM_HOST ?? `platform.${platformDomain}`,
    publicScheme: values.PUBLIC_SCHEME ?? (isLoopbackName(platformDomain) ? 'http' : 'https'),
    trustedProxies: values.TRUSTED_PROXIES,
    outboundAllowLoopback: values.OUTBOUND_ALLOW_LOOPBACK,
    outboundAllowOrigins: values.OUTBOUND_ALLOW_ORIGINS,
    providerPort: values.PROVIDER_PORT ?? values.PORT + 2,
    credentialDeadlineMs: values.CREDENTIAL_DEADLINE_MS,
    rates: {
      anonymousPerMinute: values.LIMIT_ANONYMOUS_PER_MINUTE ?? (production ? 6000 : 0),
      failedSecretsPerMinute: values.LIMIT_FAILED_SECRETS_PER_MINUTE,
      managementWritesPerMinute: values.LIMIT_MANAGEMENT_WRITES_PER_MINUTE,
      issuancesPerMinute: values.LIMIT_ISSUANCES_PER_MINUTE,
    },
    serviceSecrets: readKeys('SERVICE_SECRET', values.SERVICE_SECRET, values),
  }
}

/** Where data are, for who has nothing to do with secrets: nothing is made that is missing. */
export function readPlaces(env: Environment): Pick<Config, 'dataDir' | 'databaseUrl'> {
  const values = parse(common.pick({ DATA_DIR: true, DATABASE_URL: true }), env)
  return { dataDir: values.DATA_DIR, databaseUrl: databaseUrlOf(values) }
}

/** For who prepares the database and has nothing to do with secrets. */
export function readDatabaseConfig(env: Environment): Pick<Config, 'databaseUrl' | 'logLevel' | 'production'> {
  const values = parse(common.pick({ DATA_DIR: true, DATABASE_URL: true, LOG_LEVEL: true, NODE_ENV: true }), env)
  return {
    databaseUrl: databaseUrlOf(values),
    logLevel: values.LOG_LEVEL,
    production: values.NODE_ENV === 'production',
  }
}

function databaseUrlOf({ DATA_DIR, DATABASE_URL }: { DATA_DIR: string; DATABASE_URL?: string | undefined }): string {
  return DATABASE_URL ?? `file:${join(DATA_DIR, 'trustwright.db')}`
}

/** In `DATA_DIR`, for what the environment does not have. */
export const keyFiles = { SERVICE_SECRET: 'service-secret', KEY_ENCRYPTION_KEY: 'key-encryption-key' }

type KeyName = keyof typeof keyFiles

const keyPlaces = common.pick({ DATA_DIR: true, DATABASE_URL: true, NODE_ENV: true })
type KeyPlaces = z.infer<typeof keyPlaces>

/**
 * The key-encryption keys, 32 bytes each: the first wraps, all of them open, so that they can be rotated. Read by the
 * signing process, and by `npm start`, which starts it; no other process calls this.
 */
export function readKeyEncryptionKeys(env: Environment): Buffer[] {
  const { KEY_ENCRYPTION_KEY, ...places } = parse(keyPlaces.extend({ KEY_ENCRYPTION_KEY: z.string().optional() }), env)
  return [...readKeys('KEY_ENCRYPTION_KEY', KEY_ENCRYPTION_KEY, places)]
}

/** One or, separated by commas, several; one that is listed twice is one. */
function readKeys(name: KeyName, listed: string | undefined, places: KeyPlaces): ServiceSecrets {
  const [text, ...others] = listed?.split(',').map((each) => each.trim()) ?? [undefined]
  const first = readKey(name, text, places)
  const keys = [first, ...others.map((each) => readKey(name, each, places))]
  const [, ...earlier] = keys.filter((key, place) => keys.findIndex((each) => each.equals(key)) === place)
  return [first, ...earlier]
}

/** The environment with the keys that it does not name, as `npm start` gives them to its processes: from its files, which are made once. */
export function withKeyFiles<Env extends Environment>(env: Env): Env {
  const { DATA_DIR } = parse(keyPlaces, env)
  const missing = (Object.keys(keyFiles) as KeyName[]).filter((name) => !env[name])
  return { ...env, ...Object.fromEntries(missing.map((name) => [name, keyFile(join(DATA_DIR, keyFiles[name]))])) }
}

function parse<Schema extends z.ZodType>(schema: Schema, env: Environment): z.infer<Schema> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const result = schema.safeParse(given)
  if (result.success) return result.data
  const wrong = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  throw new Misconfigured(`The configuration is wrong. ${wrong.join('; ')}`)
}

const sharedBy: Record<KeyName, string> = {
  SERVICE_SECRET: 'the same for every process',
  KEY_ENCRYPTION_KEY: 'the same for every signing process, and for no other',
}

/**
 * A base64 key from the environment, else from a file, readable by its owner alone, which is made when it is missing; but not in
 * production and with PostgreSQL, where processes of other machines would each make one of their own.
 */
function readKey(name: KeyName, text: string | undefined, { DATA_DIR, DATABASE_URL, NODE_ENV }: KeyPlaces): Buffer {
  const file = join(DATA_DIR, keyFiles[name])
  const isShared = NODE_ENV === 'production' || DATABASE_URL?.startsWith('postgres')
  if (text === undefined && isShared) {
    const used = existsSync(file) ? `; the one that was used so far is in ${file}` : ''
    throw new Misconfigured(
      `${name} is missing. In production and with PostgreSQL it has to be set: 32 bytes in base64 (openssl rand -base64 32), ${sharedBy[name]}${used}.`,
    )
  }
  const key = Buffer.from(text ?? keyFile(file), 'base64')
  if (key.length === 32) return key
  const place = text === undefined ? ` (${file})` : ''
  throw new Misconfigured(`${name}${place} has to be 32 bytes in base64, as \`openssl rand -base64 32\` makes them.`)
}

function keyFile(file: string): string {
  if (!existsSync(file)) makeKeyFile(file)
  return readFileSync(file, 'utf8').trim()
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

function isLoopbackName(host: string): boolean {
  return /(^|\.)localhost(:\d+)?$/.test(host)
}
