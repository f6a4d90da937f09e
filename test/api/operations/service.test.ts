import { randomBytes, randomUUID } from 'node:crypto'
import { register } from 'prom-client'
import { expect, onTestFinished, test } from 'vitest'
import { checkReadiness, latePurgesCache } from '../../../api/operations/service/readiness-check.ts'
import { createDatabaseBroker } from '../../../db/queue/database-broker.ts'
import { spentProofs } from '../../../db/tables/issuance/spent-proofs.ts'
import { plusMs, systemClock } from '../../../shared/clock.ts'
import { newId } from '../../../shared/ids.ts'
import { writeHeartbeat } from '../../../shared/jobs/heartbeat.ts'
import { connectPatient, type RedisConnection } from '../../../shared/jobs/redis.ts'
import { readRedisSettings, warnOfRedisSettings } from '../../../shared/jobs/redis-settings.ts'
import { reportStatus } from '../../../shared/metrics/process.ts'
import { createSecrets } from '../../../shared/secrets/secrets.ts'
import { reportClosedKeys } from '../../../workers/jobs/heartbeat.ts'
import { eventually, type Service, startService } from '../../harness/harness.ts'
import { addLaterMigration, forgetLastMigration } from '../../harness/migration-table.ts'
import { startRedis } from '../../harness/redis.ts'
import { openRedisBus } from '../../harness/redis-bus.ts'
import { testQueueIn } from '../../harness/test-queue.ts'

const ready = '/health/ready'

test.concurrent('the service is ready while database, Redis and a signing worker are available', async () => {
  await using service = await startService()
  expect(await service.anonymous.get(ready)).toMatchObject({
    status: 200,
    body: { status: 'ok', phase: 'serving', checks: { database: 'ok', redis: 'ok', signing: 'ok' }, problems: [] },
  })

  await service.workers.stop()
  const answer = await eventually(async () => {
    const readiness = await service.anonymous.get(ready)
    return readiness.status === 503 && readiness
  })
  expect(answer.body).toEqual({
    status: 'unavailable',
    phase: 'serving',
    checks: { database: 'ok', redis: 'ok', signing: 'unavailable' },
    queue: testQueueIn,
    problems: ['No signing process runs'],
  })
  expect(answer.headers['retry-after']).toBeDefined()

  await service.workers.start()
  await eventually(async () => (await service.anonymous.get(ready)).status === 200)
})

test.concurrent('with its queues in the database a service is ready without Redis, and reports no problem of Redis', {
  tags: 'once',
}, async () => {
  await using service = await startService({ queueIn: 'database', env: { NODE_ENV: 'production' } })
  expect(await service.anonymous.get(ready)).toMatchObject({
    status: 200,
    body: { checks: { database: 'ok', redis: 'ok', signing: 'ok' }, queue: 'database', problems: [] },
  })
})

test.concurrent('without Redis the readiness names Redis without its address, and depends on a signing process that needs no Redis', {
  tags: 'redis',
}, async () => {
  const redis = await startRedis()
  const service = await startService({ redisUrl: redis.url })
  const queues = () => service.platform.get('/v1/overview/queues')
  expect(await queues()).toMatchObject({ status: 200 })
  await redis.stop()
  expect(await service.anonymous.get('/health/live')).toMatchObject({ status: 200 })
  const withoutRedis = { phase: 'serving', queue: 'redis', problems: ['Redis does not answer'] }
  const signs = { database: 'ok', redis: 'unavailable', signing: 'ok' }
  const { status, body } = await service.anonymous.get(ready)
  expect([status, body]).toEqual([200, { ...withoutRedis, status: 'ok', checks: signs }])
  await service.workers.stop()
  const unready = await service.anonymous.get(ready)
  const checks = { ...signs, signing: 'unavailable' }
  expect([unready.status, unready.body]).toEqual([503, { ...withoutRedis, status: 'unavailable', checks }])
  expect(await queues()).toMatchObject({
    status: 503,
    body: { code: 'ServiceUnavailable', message: expect.any(String) },
  })
  const again = await startRedis({ port: Number(new URL(redis.url).port) })
  await service.workers.start()
  await eventually(async () => (await service.anonymous.get(ready)).body.checks.redis === 'ok')
  await service[Symbol.asyncDispose]()
  await again.stop()
})

test.concurrent('readiness names the error by which Redis refuses writes, and reports no ended signing process', {
  tags: 'redis',
}, async () => {
  const redis = await startRedis()
  const service = await startService({ redisUrl: redis.url })
  const admin = connectPatient(redis.url)
  await admin.config('SET', 'min-replicas-to-write', '1')
  await eventually(async () => (await service.anonymous.get(ready)).body.problems.length > 0)
  expect(await service.anonymous.get(ready)).toMatchObject({
    status: 200,
    body: {
      checks: { database: 'ok', redis: 'unavailable', signing: 'ok' },
      problems: ['Redis refuses to write (NOREPLICAS)'],
    },
  })
  await admin.config('SET', 'min-replicas-to-write', '0')
  await eventually(async () => (await service.anonymous.get(ready)).body.checks.redis === 'ok')
  admin.disconnect()
  await service[Symbol.asyncDispose]()
  await redis.stop()
})

test('readiness reports a missing migration and accepts migrations of a later version', async () => {
  await using service = await startService()
  const { databaseUrl } = service.deps.config
  await addLaterMigration(databaseUrl)
  expect(await service.anonymous.get(ready)).toMatchObject({ status: 200, body: { problems: [] } })
  await forgetLastMigration(databaseUrl)
  await forgetLastMigration(databaseUrl)
  expect(await service.anonymous.get(ready)).toMatchObject({
    status: 503,
    body: {
      checks: { database: 'unavailable', redis: 'ok', signing: 'ok' },
      problems: [
        expect.stringMatching(
          /^The database is not migrated: it lacks the migration \w+ of this version\. Run `node db\/cli\/migrate\.ts`/,
        ),
      ],
    },
  })
})

test('readiness reads at most once in 30 s how long expired rows have waited', async () => {
  await using service = await startService()
  const { db, caches } = service.deps
  const problems = async () => (await service.anonymous.get(ready)).body.problems
  await service.workers.stop()
  const before = await problems()
  const row = { tenantId: newId(), hash: 'x', usedFor: null, requestHash: null, expiresAt: new Date(0) }
  await db.tx((tx) => tx.insert(spentProofs).values(row))
  expect(await problems()).toEqual(before)
  caches.of(latePurgesCache).clear()
  expect(await problems()).toContainEqual(expect.stringContaining('spent_proofs'))
})

const otherSecret = 'A signing process has another SERVICE_SECRET than this process'
const closedKeys = 'A signing process has ended, because its KEY_ENCRYPTION_KEY opens no private key in the database'

async function readiness(service: Service): Promise<[status: number, signing: string, problems: string[]]> {
  const { status, body } = await service.anonymous.get(ready)
  return [status, body.checks.signing, body.problems]
}

/** Stops the signing worker and deletes its heartbeats. */
async function withoutSigning({ workers, deps: { config } }: Service): Promise<RedisConnection> {
  await workers.stop()
  const redis = connectPatient(config.redisUrl)
  await redis.del(`${config.redisPrefix}:signing-processes`, `${config.redisPrefix}:signing-worker`)
  return redis
}

test('readiness distinguishes a wrong secret of heartbeats from a wrong key encryption key', {
  tags: 'redis',
}, async () => {
  await using service = await startService({ queueIn: 'redis' })
  const { config, secrets } = service.deps
  const redis = await withoutSigning(service)
  const place = { config, prefix: config.redisPrefix }
  expect(await readiness(service)).toEqual([503, 'unavailable', ['No signing process runs']])

  await reportClosedKeys(service)
  expect(await readiness(service)).toEqual([503, 'unavailable', [closedKeys]])
  const otherSecrets = createSecrets([randomBytes(32)])
  await writeHeartbeat(redis, { ...place, secrets: otherSecrets }, newId(), 'working', systemClock)
  expect(await readiness(service)).toEqual([503, 'unavailable', [otherSecret, closedKeys]])

  // A heartbeat proves one process, time and state. It is not valid for another.
  const key = `${config.redisPrefix}:signing-processes`
  await redis.del(key)
  const id = newId()
  await writeHeartbeat(redis, { ...place, secrets }, id, 'closed', systemClock)
  await redis.hset(key, id, String(await redis.hget(key, id)).replace('closed', 'working'))
  expect(await readiness(service)).toEqual([503, 'unavailable', [otherSecret]])

  // One working process is enough. The other one is still reported.
  await writeHeartbeat(redis, { ...place, secrets }, newId(), 'working', systemClock)
  expect(await readiness(service)).toEqual([200, 'ok', [otherSecret]])
  expect(JSON.stringify(await redis.hgetall(key))).not.toContain(config.serviceSecrets[0].toString('base64'))
  redis.disconnect()
})

test('a listener to direct requests with another secret does not make a service ready', {
  tags: 'postgres',
}, async () => {
  await using service = await startService({ queueIn: 'database' })
  const { db, bus } = service.deps
  await service.workers.stop()
  await eventually(async () => (await readiness(service))[0] === 503)
  const other = createDatabaseBroker(db, createSecrets([randomBytes(32)]))
  const list = other.openRequestList('signing')
  await other.openHeartbeats().write(newId(), 'working', systemClock)
  await eventually(async () => {
    await list?.renewLease()
    return bus.hasSigner()
  })
  expect(await readiness(service)).toEqual([503, 'unavailable', [otherSecret]])
  list?.disconnect()
})

test('readiness and a metric report clocks that differ from that of Redis by more than 30 s', {
  tags: 'redis',
}, async () => {
  await using service = await startService({ queueIn: 'redis' })
  const { config, secrets } = service.deps
  const redis = await withoutSigning(service)
  const place = { prefix: config.redisPrefix, secrets }
  const at = (ms: number) => ({ now: () => plusMs(new Date(), ms) })
  await writeHeartbeat(redis, place, newId(), 'working', at(20_000))
  expect(await readiness(service)).toEqual([200, 'ok', []])
  await writeHeartbeat(redis, place, newId(), 'working', at(45_000))
  await writeHeartbeat(redis, place, newId(), 'worker', at(-3_600_000))
  const [status, , problems] = await readiness(service)
  expect([status, problems.toSorted()]).toEqual([
    200,
    [
      'The clock of a signing process is 45 s ahead of the clock of Redis: synchronize them (NTP)',
      'The clock of a worker process is 3600 s behind the clock of Redis: synchronize them (NTP)',
    ],
  ])
  redis.disconnect()
})

test('readiness reports its own clock deviation and, in production, settings of Redis that lose jobs', {
  tags: 'redis',
}, async () => {
  const own = await startRedis()
  // After the service, which waits for Redis when it stops.
  onTestFinished(() => own.stop())
  const redis = connectPatient(own.url)
  await using service = await startService({ redisUrl: own.url })
  const deps = { ...service.deps, config: { ...service.deps.config, production: true } }
  expect((await checkReadiness(deps)).problems).toEqual([])
  const around = { ...deps, clock: { now: () => plusMs(new Date(), -40_000) } }
  expect((await checkReadiness(around)).problems).toEqual([
    'The clock of this process is 40 s behind the clock of Redis: synchronize them (NTP)',
  ])
  await redis.config('SET', 'maxmemory-policy', 'allkeys-lru')
  await redis.config('SET', 'appendonly', 'no')
  const bus = await openRedisBus({ redisUrl: own.url, prefix: randomUUID(), secrets: service.deps.secrets })
  const { problems, redisSettings, clockAheadMs } = await checkReadiness({ ...deps, bus })
  expect(problems).toEqual([
    'No signing process runs',
    'Redis evicts keys (maxmemory-policy allkeys-lru): jobs can be lost. Set it to noeviction',
    'Redis writes nothing to disk: a restart loses jobs and analytics. Set appendonly to yes',
  ])
  const warnings: unknown[] = []
  await warnOfRedisSettings(bus, { warn: (fields: unknown) => warnings.push(fields) })
  expect(warnings).toHaveLength(2)
  reportStatus({ isReady: true, checks: {}, pools: [], redisSettings, clockAheadMs })
  const text = await register.metrics()
  expect(text).toMatch(/^trustwright_redis_setting_ok\{setting="eviction"\} 0$/m)
  expect(text).toMatch(/^trustwright_redis_setting_ok\{setting="persistence"\} 0$/m)
  expect(text).toMatch(/^trustwright_clock_ahead_seconds -?[\d.e-]+$/m)
  // Snapshots are sufficient.
  await redis.config('SET', 'save', '60 1')
  expect(await readRedisSettings(redis)).toMatchObject({ isPersistent: true })
  await bus.close()
  redis.disconnect()
})

test('a signing process of the previous version counts, although its heartbeat proves nothing', {
  tags: 'redis',
}, async () => {
  await using service = await startService({ queueIn: 'redis' })
  const { redisPrefix: prefix } = service.deps.config
  const redis = await withoutSigning(service)
  await redis.set(`${prefix}:signing-worker`, '1', 'EX', 6)
  expect(await readiness(service)).toEqual([200, 'ok', []])

  // The previous version reads only this key. The key is not a proof.
  await redis.del(`${prefix}:signing-worker`)
  await writeHeartbeat(redis, { prefix, secrets: createSecrets([randomBytes(32)]) }, newId(), 'working', systemClock)
  expect(await redis.exists(`${prefix}:signing-worker`)).toBe(1)
  expect(await readiness(service)).toEqual([503, 'unavailable', [otherSecret]])
  redis.disconnect()
})
