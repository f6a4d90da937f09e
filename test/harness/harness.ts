import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAnalytics } from '../../api/analytics/analytics.ts'
import { createApp } from '../../api/app.ts'
import type { Deps } from '../../api/deps.ts'
import { createUploadLimiter } from '../../api/ecosystems/evidence/uploads.ts'
import { createLargeAnswers } from '../../api/http/large-answers.ts'
import { createDownloadLimiter } from '../../api/issuance/bulk/downloads.ts'
import { createCaches } from '../../api/process/caches.ts'
import { createServices } from '../../api/process/services.ts'
import { ensurePlatform } from '../../api/tenancy/tenants/first-start.ts'
import { openDatabase } from '../../db/client.ts'
import { standbyOptions } from '../../db/engine/standby-options.ts'
import { ownDocuments } from '../../db/repos/identifiers/own-documents.ts'
import { hourMs, minuteMs, plusMs } from '../../shared/clock.ts'
import { createDidResolver } from '../../shared/domain/identifiers/resolver.ts'
import type { Broker } from '../../shared/jobs/broker.ts'
import type { Bus } from '../../shared/jobs/bus.ts'
import { createKeys, type Keys } from '../../shared/jobs/keys.ts'
import { createLog, type Log } from '../../shared/log/log.ts'
import { createOutbound } from '../../shared/outbound/outbound.ts'
import { createSecrets } from '../../shared/secrets/secrets.ts'
import type { QueueIn } from '../../shared/settings/config.ts'
import { readConfig } from '../../shared/settings/config.ts'
import { createKeyring, type Keyring } from '../../workers/signing/keys/keyring.ts'
import type { KeyProvider } from '../../workers/signing/keys/provider.ts'
import { addProvider } from '../../workers/signing/keys/providers.ts'
import type { KeyEncryptionKey } from '../../workers/signing/keys/wrapping.ts'
import { startWorkers } from '../../workers/start.ts'
import { type WorkerRole, workerRoles } from '../../workers/worker-roles.ts'
import { type Api, type ApiResponse, createApi } from './api-client.ts'
import { openBrokerWithoutSockets } from './broker.ts'
import { newDatabase } from './database.ts'
import { holdToDeclarations } from './declared-answers.ts'
import { keepAlive } from './keep-alive.ts'
import { sharedRedisUrl } from './shared-redis.ts'
import { testQueueIn } from './test-queue.ts'

export interface TestTenant {
  id: string
  baseUrl: string
  host: string
  did: string
  /** An API client with the role `admin`. */
  operator: Api
  clientId: string
  clientSecret: string
  anonymous: Api
  /** A new client with these roles. */
  as(...roles: string[]): Promise<Api>
}

/** The whole service in this process, with real HTTP, database, queues and workers. Only the clock is simulated. */
export interface Service extends TestTenant {
  deps: Deps
  broker: Broker
  origin: string
  platform: Api
  clock: { now(): Date; advance(ms: number): void }
  /** The keyring of the signing worker. */
  keyring: Keyring
  addTenant(settings?: Record<string, unknown>): Promise<TestTenant>
  /** Limits how long requests of `work` wait for the signing process. Otherwise they wait until their deadline. */
  withSigningWait<Result>(ms: number, work: () => Promise<Result>): Promise<Result>
  /** Stops and starts the workers. */
  workers: { stop(): Promise<void>; start(): Promise<void> }
  /** Waits until analytics of this process have been sent and stored. */
  [Symbol.asyncDispose](): Promise<void>
}

export interface ServiceOptions {
  roles?: readonly WorkerRole[]
  env?: Record<string, string>
  redisUrl?: string
  /** The system that stores the queues. */
  queueIn?: QueueIn
  /** The default are new 32 bytes. With it, `DATABASE_URL` and `SERVICE_SECRET`, a service starts again on the same data. */
  keyEncryptionKey?: KeyEncryptionKey
  /** The providers of private keys beside software. */
  keyProviders?: KeyProvider[]
  /** The default is a silent log. */
  log?: Log
  /** The pauses between attempts at a webhook delivery. Those of the service start at 5 s. */
  retryPausesMs?: readonly number[]
}

/** One log for all services of a worker, because each log writes its buffer ten times a second until the process ends. */
const testLog = createLog({ process: 'test', level: process.env.TEST_LOG_LEVEL ?? 'silent', pretty: false })

/** Starts the service with one tenant at 127.0.0.1. `await using` stops it and removes its data. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const instance = await startInstance(options)
  const { deps, broker, origin, platform, clock, keyring, withSigningWait, workers, addTenant } = instance
  const tenant = await addTenant({ aliases: [new URL(origin).host] })
  const dispose = () => instance.stop()
  return {
    ...tenant,
    ...{ deps, broker, origin, platform, clock, keyring, addTenant, withSigningWait, workers },
    [Symbol.asyncDispose]: dispose,
  }
}

/** A tenant of a service whose platform, clock and workers stay as they are. */
export type SharedService = Omit<Service, 'broker' | 'platform' | 'clock' | 'keyring' | 'withSigningWait' | 'workers'>

const sharedInstances = new Map<string, Promise<Instance>>()

/**
 * Returns a new tenant at a port of its own, on a service that the files of a test worker share if they declare the same environment. The
 * service runs until the worker ends. Tests that change the platform, the clock or the workers, or that count rows of other tenants, use
 * `startService`.
 */
export async function joinService(env: Record<string, string> = {}): Promise<SharedService> {
  const key = JSON.stringify(Object.entries(env).sort())
  // The requests of all files come from one address.
  const starting = sharedInstances.get(key) ?? startInstance({ env: { LIMIT_ANONYMOUS_PER_MINUTE: '0', ...env } })
  sharedInstances.set(key, starting)
  const { deps, app, undeclared, addTenant } = await starting
  const { server, port } = await listenAtUnusedPort()
  server.on('request', app.callback())
  const tenant = await addTenant({ aliases: [`127.0.0.1:${port}`] })
  return {
    ...tenant,
    ...{ deps, origin: `http://127.0.0.1:${port}`, addTenant },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      const faults = undeclared.splice(0)
      if (faults.length > 0) throw new Error(faults.join('\n'))
    },
  }
}

type Instance = Awaited<ReturnType<typeof startInstance>>

/** The ports of `joinService`. A tenant keeps its address when its file ends, and the system can give the port to a later file. */
const usedPorts = new Set<number>()

async function listenAtUnusedPort(): ReturnType<typeof listen> {
  const listening = await listen()
  if (!usedPorts.has(listening.port)) {
    usedPorts.add(listening.port)
    return listening
  }
  try {
    return await listenAtUnusedPort()
  } finally {
    listening.server.close()
  }
}

async function listen() {
  const server = createServer(keepAlive)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return { server, port: typeof address === 'object' && address ? address.port : 0 }
}

/** Starts the service with its platform and without another tenant. */
async function startInstance(options: ServiceOptions) {
  const dir = mkdtempSync(join(tmpdir(), 'trustwright-test-'))
  const database = await newDatabase(dir)
  const { server, port } = await listen()
  const config = readConfig({
    DATA_DIR: dir,
    DATABASE_URL: database.url,
    ...(await queueSettings(options)),
    REDIS_PREFIX: `test-${randomUUID()}`,
    PLATFORM_DOMAIN: `localhost:${port}`,
    OUTBOUND_ALLOW_LOOPBACK: '1',
    SERVICE_SECRET: randomBytes(32).toString('base64'),
    CREDENTIAL_DEADLINE_MS: '60000', // longer than a request takes on any machine
    ...options.env,
  })
  let offsetMs = 0
  const clock = {
    now: () => plusMs(new Date(), offsetMs),
    advance: (ms: number) => {
      offsetMs += ms
    },
  }
  const log = options.log ?? testLog
  const secrets = createSecrets(config.serviceSecrets, config)
  const db = openDatabase(config.databaseUrl, { survives: 'crash', standby: standbyOptions(config, log) })
  const broker = openBrokerWithoutSockets(config, { db, secrets })
  const bus = broker.openBus()
  await bus.connected
  const { keys, withSigningWait } = patientKeys(bus, config.credentialDeadlineMs)
  const outbound = createOutbound({ allowLoopback: config.outboundAllowLoopback, clock })
  const dids = createDidResolver({
    outbound,
    clock,
    findOwn: ownDocuments({ db, config, clock }),
    allowLoopback: config.outboundAllowLoopback,
  })
  const analytics = createAnalytics({ db, clock, log })
  const lifecycle = { phase: 'serving' } as const
  const deps: Deps = {
    config,
    db,
    bus,
    keys,
    secrets,
    outbound,
    dids,
    uploads: createUploadLimiter(),
    downloads: createDownloadLimiter(),
    clock,
    log,
    analytics,
    caches: createCaches(),
    services: createServices({ db, secrets, clock, log, lifecycle }),
    largeAnswers: createLargeAnswers(),
    withoutSlot: (work) => work,
    lifecycle,
  }
  const app = createApp(deps)
  const undeclared = holdToDeclarations(app)
  server.on('request', app.callback())

  const keyring = createKeyring([options.keyEncryptionKey ?? randomBytes(32)], 2, config.keyPolicy)
  for (const provider of options.keyProviders ?? []) addProvider(keyring.custody, provider)
  const { roles = workerRoles, retryPausesMs } = options
  const start = () =>
    startWorkers(roles, {
      ...{ ...deps, broker, keyring, relayGatherMs: 20 },
      ...(retryPausesMs && { retryPausesMs }),
    })
  let running: Awaited<ReturnType<typeof start>> | undefined = await start()
  const workers = {
    async stop() {
      await running?.stop()
      running = undefined
    },
    async start() {
      running ??= await start()
    },
  }

  const origin = `http://127.0.0.1:${port}`
  const ofPlatform = await ensurePlatform(deps, undefined)
  const platform = createApi(
    origin,
    config.platformHost,
    await tokenOf(origin, config.platformHost, ofPlatform.clientId, ofPlatform.clientSecret),
  )

  async function addTenant(settings: Record<string, unknown> = {}): Promise<TestTenant> {
    const { status, body } = await untilAvailable(() => {
      const subdomain = `t${randomUUID().slice(0, 8)}`
      return platform.post('/v1/tenants', { name: subdomain, subdomain, ...settings })
    })
    if (status !== 201) throw new Error(`tenant: ${status} ${JSON.stringify(body)}`)
    return testTenant(origin, body)
  }
  return {
    ...{ deps, broker, app, undeclared, origin, platform, clock, keyring, addTenant, withSigningWait, workers },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await analytics.close()
      await deps.services.close()
      await workers.stop()
      await bus.close()
      await outbound.close()
      await db.close()
      await database.drop()
      rmSync(dir, { recursive: true, force: true })
      if (undeclared.length > 0) throw new Error(undeclared.join('\n'))
    },
  }
}

/** A test with a Redis of its own uses that. */
async function queueSettings({
  redisUrl,
  queueIn = redisUrl ? 'redis' : testQueueIn,
}: ServiceOptions): Promise<Record<string, string>> {
  return queueIn === 'database' ? { QUEUE: 'database' } : { REDIS_URL: redisUrl ?? (await sharedRedisUrl()) }
}

/** Keys whose wait for an answer a test can shorten. */
function patientKeys(bus: Bus, deadlineMs: number) {
  const real = createKeys(bus, deadlineMs)
  let maxWaitMs = deadlineMs
  const endOf = (deadlineAt = Number.POSITIVE_INFINITY) => Math.min(deadlineAt, performance.now() + maxWaitMs)
  const keys: Keys = {
    hasSigner: real.hasSigner,
    request: (name, item, options = {}) =>
      real.request(name, item, { ...options, deadlineAt: endOf(options.deadlineAt) }),
    call: (name, payload, options = {}) => real.call(name, payload, { deadlineAt: endOf(options.deadlineAt) }),
  }
  async function withSigningWait<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
    maxWaitMs = ms
    try {
      return await work()
    } finally {
      maxWaitMs = deadlineMs
    }
  }
  return { keys, withSigningWait }
}

interface CreatedTenant {
  id: string
  baseUrl: string
  did: string
  client: { clientId: string; clientSecret: string }
}

export async function testTenant(origin: string, { id, baseUrl, did, client }: CreatedTenant): Promise<TestTenant> {
  const { host } = new URL(baseUrl)
  const { clientId, clientSecret } = client
  const operator = createApi(origin, host, await tokenOf(origin, host, clientId, clientSecret))
  return {
    id,
    baseUrl,
    host,
    did,
    operator,
    clientId,
    clientSecret,
    anonymous: createApi(origin, host),
    async as(...roles) {
      const { body } = await operator.post(`/v1/tenants/${id}/clients`, { name: roles.join(' '), roles })
      return createApi(origin, host, await tokenOf(origin, host, body.clientId, body.clientSecret))
    },
  }
}

/** Repeats a request while the service is not available, as the client does. A busy machine can close a connection to Redis. */
function untilAvailable(request: () => Promise<ApiResponse>): Promise<ApiResponse> {
  return eventually(async () => {
    const answer = await request()
    return answer.status !== 503 && answer
  })
}

export async function tokenOf(origin: string, host: string, clientId: string, clientSecret: string): Promise<string> {
  const request = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' }
  const { status, body } = await untilAvailable(() => createApi(origin, host).post('/oauth/token', request))
  if (status !== 200) throw new Error(`token: ${status} ${JSON.stringify(body)}`)
  return body.access_token
}

/** Advances the clock to the next hour if the current one ends within five minutes, for tests of counts per hour. */
export function avoidEndOfHour({ clock }: Pick<Service, 'clock'>): void {
  const leftMs = hourMs - (clock.now().getTime() % hourMs)
  if (leftMs < 5 * minuteMs) clock.advance(leftMs)
}

/** Polls until `look` returns a result. Throws after `withinMs`, which only ends a test that would hang. */
export async function eventually<Result>(
  look: () => Promise<Result | undefined | false>,
  withinMs = 150_000,
): Promise<Result> {
  const deadline = Date.now() + withinMs
  for (;;) {
    const result = await look()
    if (result) return result
    if (Date.now() > deadline) throw new Error('it did not happen in time')
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
