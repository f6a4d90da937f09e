import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { Misconfigured } from '../../shared/process/dependency.ts'
import { readConfig, readKeyEncryptionKeys, readMigrationConfig } from '../../shared/settings/config.ts'
import { withKeyFiles } from '../../shared/settings/key-files.ts'
import { urlsOfHosts } from '../../shared/settings/postgres-url.ts'
import { parseClusterUrl } from '../../shared/settings/redis-cluster-url.ts'
import { parseSentinelUrl } from '../../shared/settings/redis-sentinel-url.ts'
import { secretSettings, withSecretFiles } from '../../shared/settings/secret-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'trustwright-config-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let DATA_DIR: string
beforeEach(() => {
  DATA_DIR = mkdtempSync(join(folder, 'data-'))
})

const key = randomBytes(32).toString('base64')
const production = { NODE_ENV: 'production', PLATFORM_DOMAIN: 'issuer.example' }
const postgres = { DATABASE_URL: 'postgres://somewhere/trustwright' }

/** The words of the refusal. */
function refusal(read: () => unknown): string {
  try {
    read()
  } catch (error) {
    if (error instanceof Misconfigured) return error.message
    throw error
  }
  return 'nothing was wrong'
}

test.each([
  ['in production', production],
  ['with PostgreSQL', postgres],
])('%s both keys are required by name, and none is created', (_where, env) => {
  expect(refusal(() => readConfig({ DATA_DIR, ...env }))).toMatch(
    /^SERVICE_SECRET is missing.*the same for every process/,
  )
  expect(refusal(() => readKeyEncryptionKeys({ DATA_DIR, ...env }))).toMatch(
    /^KEY_ENCRYPTION_KEY is missing.*the same for every signing process, and for no other/,
  )
  expect(existsSync(join(DATA_DIR, 'service-secret'))).toBe(false)
  expect(existsSync(join(DATA_DIR, 'key-encryption-key'))).toBe(false)
  expect(readConfig({ DATA_DIR, ...env, SERVICE_SECRET: key }).serviceSecrets[0].toString('base64')).toBe(key)
  expect(readKeyEncryptionKeys({ DATA_DIR, ...env, KEY_ENCRYPTION_KEY: `${key},${key}` })).toHaveLength(1)
})

test('the message names the file of an existing key', () => {
  const { SERVICE_SECRET, KEY_ENCRYPTION_KEY } = withKeyFiles<NodeJS.ProcessEnv>({ DATA_DIR })
  for (const [name, file, value] of [
    ['SERVICE_SECRET', 'service-secret', SERVICE_SECRET],
    ['KEY_ENCRYPTION_KEY', 'key-encryption-key', KEY_ENCRYPTION_KEY],
  ] as const) {
    const read = name === 'SERVICE_SECRET' ? readConfig : readKeyEncryptionKeys
    const words = refusal(() => read({ DATA_DIR, ...production }))
    expect(words).toContain(`The current key is in ${join(DATA_DIR, file)}.`)
    expect(readFileSync(join(DATA_DIR, file), 'utf8').trim()).toBe(value)
    expect(words).not.toContain(value)
  }
})

test('`npm start` passes on the given keys, or else its own, which stay the same', () => {
  const first = withKeyFiles({ DATA_DIR, ...production })
  expect(withKeyFiles({ DATA_DIR, ...production, KEY_ENCRYPTION_KEY: '' })).toEqual(first)
  expect(withKeyFiles({ DATA_DIR, ...production, SERVICE_SECRET: key }).SERVICE_SECRET).toBe(key)
  expect(readConfig(first).serviceSecrets[0]).toHaveLength(32)
  expect(readKeyEncryptionKeys(first)).toHaveLength(1)
  // Processes that run beside it, in development, take the same from its folder.
  expect(readConfig({ DATA_DIR }).serviceSecrets).toEqual(readConfig(first).serviceSecrets)
})

test('a key that is too short is refused by its name and not repeated', () => {
  const short = randomBytes(16).toString('base64')
  const words = refusal(() => readConfig({ DATA_DIR, SERVICE_SECRET: short }))
  expect(words).toMatch(/^SERVICE_SECRET must be 32 bytes in base64/)
  expect(words).not.toContain(short)
})

test.each([
  [{ NODE_ENV: 'prod' }, 'NODE_ENV must be production, development or test, but is "prod".'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be trace, debug, info, warn, error, fatal or silent, but is "loud".'],
  [{ PORT: '70000' }, 'PORT must be a port, 1 to 65531, but is "70000".'],
  [{ PORT: '3000.5' }, 'PORT must be a port, 1 to 65531, but is "3000.5".'],
  [{ PORT: '0x10' }, 'PORT must be a port'],
  [{ OPS_HOST: 'http://10.0.0.1' }, 'OPS_HOST must be an IP address or a name of this machine, but is'],
  [{ OPS_PORT: '3000' }, 'PORT and OPS_PORT are both 3000: each needs a port of its own.'],
  [{ PORT: '8000', OPS_PORT: '8000', HOST: '0.0.0.0' }, 'PORT and OPS_PORT are both 8000'],
  [{ TRUSTED_PROXIES: '10.0.0.1, 10.0.0.0/33' }, 'TRUSTED_PROXIES must be addresses or CIDR ranges'],
  [{ TRUSTED_PROXIES: '10.1' }, 'TRUSTED_PROXIES must be'],
  [{ TRUSTED_PROXIES: 'proxy.internal' }, 'TRUSTED_PROXIES must be'],
  [{ TRUSTED_PROXIES: '2001:db8::/129' }, 'TRUSTED_PROXIES must be'],
  [{ TRUSTED_PROXIES: '10.0.0.0/8/8' }, 'TRUSTED_PROXIES must be'],
  [{ PLATFORM_DOMAIN: 'https://issuer.example' }, 'PLATFORM_DOMAIN must be a host name such as issuer.example.org'],
  [{ PLATFORM_DOMAIN: 'issuer.example/path' }, 'PLATFORM_DOMAIN must be a host name'],
  [{ PLATFORM_DOMAIN: '*.issuer.example' }, 'PLATFORM_DOMAIN must be a host name'],
  [{ PLATFORM_DOMAIN: '10.0.0.1' }, 'PLATFORM_DOMAIN must be a host name'],
  [{ PLATFORM_DOMAIN: 'issuer.example:0' }, 'PLATFORM_DOMAIN must be a host name'],
  [{ PLATFORM_HOST: 'platform.example/' }, 'PLATFORM_HOST must be a host name'],
  [{ PUBLIC_SCHEME: 'ftp' }, 'PUBLIC_SCHEME must be http or https, but is "ftp".'],
  [{ OUTBOUND_ALLOW_LOOPBACK: 'yes' }, 'OUTBOUND_ALLOW_LOOPBACK must be 1 or 0, but is "yes".'],
  [{ OUTBOUND_ALLOW_ORIGINS: 'http://127.0.0.1:1/path' }, 'OUTBOUND_ALLOW_ORIGINS must be origins'],
  [{ LIMIT_ISSUANCES_PER_MINUTE: '-1' }, 'LIMIT_ISSUANCES_PER_MINUTE must be a number of requests, or 0 for no limit'],
  [{ CREDENTIAL_DEADLINE_MS: '10' }, 'CREDENTIAL_DEADLINE_MS must be a number of milliseconds from 100 to 60000'],
  [{ NODE_ENV: 'prod', PORT: 'x' }, 'NODE_ENV must be production, development or test, but is "prod". PORT must be'],
])('%j is refused by name, with the expected value', (env, words) => {
  const message = refusal(() => readConfig({ DATA_DIR, ...env }))
  expect(message).toContain(words)
  expect(message).not.toContain('\n')
  expect(existsSync(join(DATA_DIR, 'service-secret'))).toBe(false)
})

test.each([
  ['REDIS_URL', 'http://:whisper@redis'],
  ['REDIS_URL', 'redis+cluster://:whisper@'],
  ['REDIS_URL', 'redis+cluster://:whisper@one:7000,'],
  ['REDIS_URL', 'redis+cluster://:whisper@one:7000,two:70000'],
  ['REDIS_URL', 'redis+cluster://:whisper@one:7000/1'],
  ['REDIS_URL', 'redis+cluster://:whis%per@one:7000'],
  ['REDIS_URL', 'redis+sentinel://:whisper@one:26379,two:26379'],
  ['REDIS_URL', 'redis+sentinel://:whisper@one:26379/master?db=1'],
  ['DATABASE_URL', 'mysql://someone:whisper@database/some'],
  ['DATABASE_URL', 'postgres://someone:whi#sper@database/some'],
  ['DATABASE_URL', 'postgres://one,two:70000/some'],
  ['DATABASE_URL', 'postgres://one,/some'],
  ['DATABASE_READ_URL', 'file:some.db'],
  ['DATABASE_URL', 'file:'],
])('%s is refused with parts missing: %s', (name, value) => {
  const message = refusal(() => readConfig({ DATA_DIR, [name]: value }))
  expect(message).toMatch(new RegExp(`^${name} must be .*percent-encoded\\.$`))
})

test('valid settings are parsed', () => {
  expect(readConfig({ DATA_DIR, PORT: '', TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8::1,' })).toMatchObject({
    port: 3000,
    opsPort: 3001,
    trustedProxies: ['10.0.0.0/8', '2001:db8::1'],
    platformDomain: 'localhost:3000',
    platformHost: 'platform.localhost:3000',
    publicScheme: 'http',
  })
  expect(readConfig({ DATA_DIR, PLATFORM_DOMAIN: 'Issuer.Example:443' })).toMatchObject({
    platformDomain: 'issuer.example',
    platformHost: 'platform.issuer.example',
    publicScheme: 'https',
  })
  expect(readConfig({ DATA_DIR, PLATFORM_HOST: '10.0.0.1:3000' })).toMatchObject({ platformHost: '10.0.0.1:3000' })
  // One port, at two addresses.
  expect(readConfig({ DATA_DIR, HOST: '10.0.0.1', OPS_PORT: '3000' })).toMatchObject({ port: 3000, opsPort: 3000 })
})

const signIn = {
  ...{ PLATFORM_SIGN_IN_ISSUER: 'https://login.example.org', PLATFORM_SIGN_IN_CLIENT_ID: 'trustwright' },
  ...{ PLATFORM_SIGN_IN_CLIENT_SECRET: 'between us', PLATFORM_SIGN_IN_VALUES: 'operators, admins' },
}

test('the settings of the sign-in at the platform must be complete or absent', () => {
  const config = readConfig({ DATA_DIR, ...signIn })
  expect(readConfig({ DATA_DIR }).platformSignIn).toBeUndefined()
  expect(config.platformSignIn).toEqual({
    ...{
      name: 'Single sign-on',
      issuer: 'https://login.example.org',
      clientId: 'trustwright',
      clientSecret: 'between us',
    },
    ...{ tokenEndpointAuthMethod: 'client_secret_basic', assertionAudience: 'issuer' },
    ...{ scope: ['openid', 'profile'], claim: 'groups' },
    ...{ userClaim: 'sub', values: ['operators', 'admins'] },
  })
  for (const name of Object.keys(signIn)) {
    const words = refusal(() => readConfig({ DATA_DIR, ...signIn, [name]: '' }))
    expect(words).toMatch(new RegExp(`^${name} is missing\\. `))
    expect(words).not.toContain('between us')
  }
})

test.each([
  ['http://login.example.org', {}, /is not allowed: Must use https/],
  ['http://127.0.0.1:3002', {}, /is not allowed/],
  ['login.example.org', {}, /must be the issuer/],
  ['http://127.0.0.1:3002', { OUTBOUND_ALLOW_ORIGINS: 'http://127.0.0.1:3002' }, /^nothing was wrong$/],
  ['http://localhost:3002', { OUTBOUND_ALLOW_LOOPBACK: '1' }, /^nothing was wrong$/],
])('an issuer that is %s with %j is checked like an address that is called', (PLATFORM_SIGN_IN_ISSUER, env, words) => {
  expect(refusal(() => readConfig({ DATA_DIR, ...signIn, ...env, PLATFORM_SIGN_IN_ISSUER }))).toMatch(words)
})

test('in production the domain is required, and migrations name their database', () => {
  const { PLATFORM_DOMAIN, ...rest } = { ...production, SERVICE_SECRET: key }
  expect(refusal(() => readConfig({ DATA_DIR, ...rest }))).toMatch(/^PLATFORM_DOMAIN is missing\. Set it in production/)
  expect(readConfig({ DATA_DIR, ...rest, PLATFORM_DOMAIN })).toMatchObject({ platformDomain: PLATFORM_DOMAIN })
  expect(refusal(() => readMigrationConfig({ DATA_DIR, NODE_ENV: 'production' }))).toMatch(
    /^DATABASE_URL is missing\. Set it in production to the database to migrate/,
  )
  expect(readMigrationConfig({ DATA_DIR }).databaseUrl).toBe(`file:${join(DATA_DIR, 'trustwright.db')}`)
})

test('each secret can be in a file, and the error of a wrong file names it without its content', () => {
  const files = (value: string) =>
    Object.fromEntries(
      secretSettings.map((name) => {
        const file = join(DATA_DIR, name.toLowerCase())
        writeFileSync(file, value)
        return [`${name}_FILE`, file]
      }),
    )
  const { SERVICE_SECRET_FILE, KEY_ENCRYPTION_KEY_FILE, ...others } = files(`${key}\n`)
  const env = { DATA_DIR, ...production, SERVICE_SECRET_FILE }
  expect(readConfig(env).serviceSecrets).toEqual(
    readConfig({ DATA_DIR, ...production, SERVICE_SECRET: key }).serviceSecrets,
  )
  expect(readKeyEncryptionKeys({ DATA_DIR, ...production, KEY_ENCRYPTION_KEY_FILE })).toEqual([
    Buffer.from(key, 'base64'),
  ])
  expect(refusal(() => readConfig({ ...env, SERVICE_SECRET: key }))).toBe(
    'SERVICE_SECRET and SERVICE_SECRET_FILE are both set. Remove one of them.',
  )
  expect(refusal(() => readConfig({ ...env, SERVICE_SECRET_FILE: join(DATA_DIR, 'none') }))).toMatch(
    /^SERVICE_SECRET_FILE names the file .*none, which cannot be read \(ENOENT\)/,
  )
  expect(refusal(() => readConfig({ ...env, ...others }))).not.toContain(key)
  files('\n')
  expect(refusal(() => readConfig(env))).toContain('which is empty')
  files('a'.repeat(70_000))
  expect(refusal(() => readConfig(env))).toContain('64 KiB')
})

test('the URI of a key in a token is no path of a file, also if such a file exists', () => {
  const uri = 'pkcs11:object=key;type=secret-key'
  const folder = process.cwd()
  process.chdir(DATA_DIR)
  onTestFinished(() => process.chdir(folder))
  writeFileSync(uri, key)
  const env = { DATA_DIR, ...production, KEY_ENCRYPTION_KEY_FILE: uri }
  expect(refusal(() => readKeyEncryptionKeys(env))).toBe(
    'KEY_ENCRYPTION_KEY_FILE is a PKCS#11 URI, which is not the path of a file. Set KEY_ENCRYPTION_KEY to the URI.',
  )
})

test('the environment of processes has the values of the files instead of their paths', () => {
  const file = join(DATA_DIR, 'secret')
  writeFileSync(file, `${key}\n`)
  const env = withKeyFiles(
    withSecretFiles({ DATA_DIR, KEY_ENCRYPTION_KEY_FILE: file, SERVICE_SECRET: key, PATH: '/bin' }),
  )
  expect(env).toEqual({ DATA_DIR, KEY_ENCRYPTION_KEY: key, SERVICE_SECRET: key, PATH: '/bin' })
  expect(existsSync(join(DATA_DIR, 'key-encryption-key'))).toBe(false)
})

test('the URL of a Redis Cluster has several hosts, one user and one password', () => {
  expect(parseClusterUrl('redis+cluster://one:7000,[::1],10.0.0.3:7002')).toEqual({
    nodes: [
      { host: 'one', port: 7000 },
      { host: '::1', port: 6379 },
      { host: '10.0.0.3', port: 7002 },
    ],
    username: undefined,
    password: undefined,
    isTls: false,
  })
  expect(parseClusterUrl('rediss+cluster://us%65r:p%40ss@one:7000/')).toEqual({
    nodes: [{ host: 'one', port: 7000 }],
    username: 'user',
    password: 'p@ss',
    isTls: true,
  })
  expect(readConfig({ DATA_DIR, REDIS_URL: 'redis+cluster://one:7000,two:7000' }).redisUrl).toBe(
    'redis+cluster://one:7000,two:7000',
  )
})

test('the URL of Sentinels has several hosts, the name of the master, and credentials for both', () => {
  expect(parseSentinelUrl('redis+sentinel://one:7000,[::1]/mymaster')).toEqual({
    sentinels: [
      { host: 'one', port: 7000 },
      { host: '::1', port: 26_379 },
    ],
    master: 'mymaster',
    isTls: false,
  })
  expect(
    parseSentinelUrl('rediss+sentinel://us%65r:p%40ss@one/my-master?sentinelUsername=s&sentinelPassword=s%26s'),
  ).toEqual({
    sentinels: [{ host: 'one', port: 26_379 }],
    master: 'my-master',
    username: 'user',
    password: 'p@ss',
    sentinelUsername: 's',
    sentinelPassword: 's&s',
    isTls: true,
  })
  expect(readConfig({ DATA_DIR, REDIS_URL: 'redis+sentinel://one,two/main' }).redisUrl).toBe(
    'redis+sentinel://one,two/main',
  )
})

test.each([
  [{}, 'database'],
  [{ REDIS_URL: 'redis://one' }, 'redis'],
  [{ QUEUE: 'redis' }, 'redis'],
  [{ ...postgres, SERVICE_SECRET: key }, 'database'],
  [{ ...postgres, SERVICE_SECRET: key, REDIS_URL: 'redis://one' }, 'redis'],
])('the queues of %j are in the %s', (env, queueIn) => {
  expect(readConfig({ DATA_DIR, ...env }).queueIn).toBe(queueIn)
})

test.each([
  [{ QUEUE: 'database', REDIS_URL: 'redis://one' }, 'QUEUE is database, but REDIS_URL is set. Remove one of them.'],
  [
    { QUEUE: 'database', ...postgres, SERVICE_SECRET: key, REDIS_URL: 'redis://one' },
    'QUEUE is database, but REDIS_URL is set. Remove one of them.',
  ],
  [{ QUEUE: 'redis', ...production, SERVICE_SECRET: key }, 'QUEUE is redis, but REDIS_URL is missing. Set it.'],
])('contradictory settings of the queue %j are one line', (env, message) => {
  expect(() => readConfig({ DATA_DIR, ...env })).toThrow(message)
})

test('the URL of a database can have several hosts', () => {
  expect(urlsOfHosts('postgres://us%65r:p%40ss@one:5433,two/some?sslmode=require')).toEqual([
    'postgres://us%65r:p%40ss@one:5433/some?sslmode=require',
    'postgres://us%65r:p%40ss@two/some?sslmode=require',
  ])
  expect(urlsOfHosts('postgres://one/some')).toEqual(['postgres://one/some'])
  expect(urlsOfHosts('file:some.db')).toEqual([])
})

test('a standby for reads needs PostgreSQL', () => {
  const url = 'postgres://standby/some'
  expect(refusal(() => readConfig({ DATA_DIR, DATABASE_READ_URL: url }))).toBe(
    'DATABASE_READ_URL is for PostgreSQL only. Set DATABASE_URL to a PostgreSQL, or remove DATABASE_READ_URL.',
  )
})
