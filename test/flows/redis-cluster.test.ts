// @module-tag redis

import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import type { Cluster } from 'ioredis'
import { request } from 'undici'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { credentials } from '../../db/tables/issuance/credentials.ts'
import { deliveries } from '../../db/tables/operations/deliveries.ts'
import { events } from '../../db/tables/operations/events.ts'
import { outbox } from '../../db/tables/outbox.ts'
import { connectPatient, type RedisConnection } from '../../shared/jobs/redis.ts'
import { createCommands, required, waiting } from '../harness/commands.ts'
import { compactConfiguration, webConfiguration } from '../harness/factories.ts'
import { eventually } from '../harness/harness.ts'
import { type Processes, startProcesses } from '../harness/processes.ts'
import { freePort } from '../harness/redis.ts'
import { startRedisCluster, type TestCluster } from '../harness/redis-cluster.ts'
import { sharedRedisUrl } from '../harness/shared-redis.ts'
import { startReceiver } from '../servers/receiver.ts'
import { type Collected, collectPatiently } from '../wallets/persistent-wallet.ts'
import { newHolderKey } from '../wallets/wallet.ts'

/** Rows that a relay had taken when a node was killed are taken again after a minute, and lost jobs are queued again after another. */
const maxRecoveryMs = 240_000
/** With `CI_FULL=1`, each of the nodes. */
const restarted = process.env.CI_FULL === '1' ? [0, 1, 2] : [0]

let cluster: TestCluster
let service: Processes
let receiver: Awaited<ReturnType<typeof startReceiver>>
let configurationIds: string[]

beforeAll(async () => {
  cluster = await startRedisCluster()
  receiver = await startReceiver()
  service = await startProcesses({ REDIS_URL: cluster.url })
  configurationIds = [await compactConfiguration(service.tenant), await webConfiguration(service.tenant)]
  const webhook = { events: ['OpenIdCredentialIssued'], url: receiver.url }
  expect(await service.tenant.operator.post('/v1/webhooks', webhook)).toMatchObject({ status: 201 })
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await receiver?.[Symbol.asyncDispose]()
  await cluster?.[Symbol.asyncDispose]()
})

const readiness = async () => {
  const { statusCode, body } = await request(`${service.origin}/health/ready`)
  return { statusCode, body: (await body.json()) as { checks: Record<string, string>; problems: string[] } }
}

/** Each credential is held by its wallet, and was delivered under one event id. */
async function expectDelivered(all: Collected[]): Promise<void> {
  expect(all.flatMap(({ unexpected }) => unexpected)).toEqual([])
  for (const { held } of all) expect(held.size).toBe(configurationIds.length)
  const { read } = service.db
  const issued = await read.select({ id: credentials.id }).from(credentials)
  await eventually(async () => (await read.$count(outbox)) === 0, maxRecoveryMs)
  const isDelivered = eq(deliveries.state, 'delivered')
  await eventually(async () => (await read.$count(deliveries, isDelivered)) === issued.length, maxRecoveryMs)
  const delivered = receiver.deliveries.map(({ body }) => `${body.event.payload.credentialId} ${body.event.id}`)
  expect(new Set(delivered).size).toBe(issued.length)
}

const collected: Collected[] = []

test('on three nodes, each credential is issued, recorded, counted and delivered', async () => {
  onTestFailed(() => console.error(service.errorOutput()))
  const key = await newHolderKey()
  const wallets = Array.from({ length: 8 }, () => collectPatiently(service, configurationIds, key))
  collected.push(...(await Promise.all(wallets)))
  await expectDelivered(collected)
  const successes = eq(events.type, 'OPENID_CREDENTIAL_SUCCESS')
  await eventually(async () => (await service.db.read.$count(events, successes)) === 2 * collected.length)
  // The tasks of the bus that need no queue.
  expect(await readiness()).toMatchObject({ statusCode: 200, body: { problems: [] } })
  const statuses = await service.bus.queueStatuses()
  expect(statuses.filter(({ workers }) => workers !== 1)).toEqual([])
  const metrics = await (await request(`http://127.0.0.1:${service.config.opsPort}/metrics`)).body.text()
  expect(metrics.match(/^trustwright_redis_setting_ok.*$/gm)).toEqual([
    'trustwright_redis_setting_ok{setting="eviction"} 1',
    'trustwright_redis_setting_ok{setting="persistence"} 1',
  ])
  expect(service.errorOutput()).toBe('')
})

test('a node that is killed and restarted under load loses no issuance and no delivery', async () => {
  onTestFailed(() => console.error(service.errorOutput().slice(-20_000)))
  let isOver = false
  const wallet = async () => {
    const key = await newHolderKey()
    for (; !isOver; await sleep(50)) collected.push(await collectPatiently(service, configurationIds, key))
  }
  const restartEach = async () => {
    for (const position of restarted) {
      const before = collected.length
      await eventually(async () => collected.length >= before + 8)
      await cluster.kill(position)
      await eventually(async () => (await readiness()).body.checks.redis === 'unavailable')
      await cluster.start(position)
      await eventually(async () => (await readiness()).body.checks.redis === 'ok')
    }
    isOver = true
  }
  await Promise.all([...Array.from({ length: 4 }, wallet), restartEach()])
  await expectDelivered(collected)
})

// BullMQ reconnects a blocking connection whose command is overdue. Its worker stops if the new connection does not become ready.
test('a connection that is reconnected while a node is down becomes ready after the restart of the node', async () => {
  const patient = connectPatient(cluster.url)
  const duplicate: RedisConnection = (patient as Cluster).duplicate()
  const connections = [patient, duplicate]
  await eventually(async () => connections.every(({ status }) => status === 'ready'))
  await cluster.kill(1)
  await cluster.untilFailing()
  await Promise.all(
    connections.map(async (connection) => {
      const ended = once(connection, 'end')
      connection.disconnect()
      await ended
    }),
  )
  const failures = connections.map((connection) => once(connection, 'reconnecting'))
  const reconnected = Promise.all(connections.map((connection) => connection.connect()))
  await Promise.all(failures)
  await cluster.start(1)
  await reconnected
  expect(connections.map(({ status }) => status)).toEqual(['ready', 'ready'])
  for (const connection of connections) connection.disconnect()
})

const refusals = [
  {
    fault: 'the scheme of one Redis for a node of a cluster',
    url: async () => `redis://127.0.0.1:${cluster.nodes[0]?.port}`,
    line: (address: string) =>
      `Redis at redis://${address} is a node of a cluster. Set REDIS_URL to redis+cluster://HOST:PORT,HOST:PORT with some of its nodes.`,
  },
  {
    fault: 'the scheme of a cluster for one Redis',
    url: async () => `redis+cluster://${new URL(await sharedRedisUrl()).host}`,
    line: (address: string) =>
      `REDIS_URL has the scheme of a cluster, but Redis at ${address} is no node of a cluster. Use redis:// or rediss://, or start Redis with cluster-enabled yes.`,
  },
]

test.each(refusals)('a process ends with one line because of $fault', async ({ url, line }) => {
  const { run, end } = createCommands({ ...required, DATA_DIR: service.dir, DATABASE_URL: service.databaseUrl })
  const REDIS_URL = await url()
  const { code, output } = await run('workers/main.ts relay', { REDIS_URL, LOG_LEVEL: 'error' })
  end()
  expect({ code, output }).toEqual({ code: 1, output: `${line(REDIS_URL.split('//')[1] ?? '')}\n` })
})

test('a process waits for a cluster that does not answer, and logs the reason of each node', async () => {
  const { start, end } = createCommands({ ...required, DATA_DIR: service.dir, DATABASE_URL: service.databaseUrl })
  const nodes = `127.0.0.1:${await freePort()},127.0.0.1:${await freePort()}`
  const worker = start('workers/main.ts relay', { REDIS_URL: `redis+cluster://user:whisper@${nodes}` })
  await eventually(async () => worker.output().includes(waiting))
  end()
  const reason = nodes
    .split(',')
    .map((node) => `${node}: ECONNREFUSED`)
    .join(', ')
  expect(worker.output()).toContain(`"address":"redis+cluster://${nodes}","reason":"${reason}"`)
  expect(worker.output()).not.toContain('whisper')
})
