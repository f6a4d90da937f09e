// @module-tag redis

import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../../api/app.ts'
import { connectPatient } from '../../shared/jobs/redis.ts'
import { type Api, createApi } from '../harness/api-client.ts'
import { eventually, type Service, startService, type TestTenant, tokenOf } from '../harness/harness.ts'
import { keepAlive } from '../harness/keep-alive.ts'
import { from, newAddress, signIn } from '../harness/limited.ts'
import { startRedis, type TestRedis } from '../harness/redis.ts'
import { openRedisBus } from '../harness/redis-bus.ts'

const wrongSecrets = 5

let redis: TestRedis
let service: Service
beforeAll(async () => {
  redis = await startRedis()
  service = await startService({
    redisUrl: redis.url,
    env: { TRUSTED_PROXIES: '127.0.0.1', LIMIT_FAILED_SECRETS_PER_MINUTE: String(wrongSecrets) },
  })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await redis.stop()
})

const tooMany = { status: 429, body: { code: 'TooManyRequests' } }
const asWallet = (token: string) => ({ authorization: `Bearer ${token}` })
const user = { claims: { given_name: 'Ada' } }

test('after too many wrong secrets from an address, only wrong ones are refused, without a command to Redis', async () => {
  const tenant = await service.addTenant()
  const address = newAddress()
  const counted = connectPatient(redis.url)
  const countersOf = async () => counted.mget(['none', ...(await counted.keys(`*counters*${tenant.id}*`))])
  expect(await signIn(tenant, tenant.clientSecret, address)).toMatchObject({ status: 200 })
  expect(await countersOf()).toEqual([null])
  for (let n = 0; n < wrongSecrets; n++) expect(await signIn(tenant, 'wrong', address)).toMatchObject({ status: 401 })
  expect(await signIn(tenant, 'wrong', address)).toMatchObject(tooMany)
  const sent = await countersOf()
  expect(sent).toEqual([null, String(wrongSecrets + 1)])
  for (let n = 0; n < 10; n++) expect(await signIn(tenant, 'wrong', address)).toMatchObject(tooMany)
  // Tokens are secrets too.
  expect(await tenant.anonymous.get('/v1/users', { ...from(address), ...asWallet('a.b.c') })).toMatchObject(tooMany)
  expect(await countersOf()).toEqual(sent)
  // Right secrets are accepted and cost nothing.
  for (let n = 0; n < 2 * wrongSecrets; n++) {
    expect(await signIn(tenant, tenant.clientSecret, address)).toMatchObject({ status: 200 })
    expect(await tenant.operator.get('/v1/users', from(address))).toMatchObject({ status: 200 })
  }
  expect(await countersOf()).toEqual(sent)
  expect(await signIn(tenant, 'wrong', newAddress())).toMatchObject({ status: 401 })
  expect(await signIn(service, 'wrong', address)).toMatchObject({ status: 401 })

  // Another process refuses from the first wrong secret.
  await using elsewhere = await secondProcess(tenant)
  expect(await signIn(tenant, 'wrong', address, elsewhere.api)).toMatchObject(tooMany)
  expect(await signIn(tenant, tenant.clientSecret, address, elsewhere.api)).toMatchObject({ status: 200 })
  counted.disconnect()
})

/** Another web process on the same database and Redis, with its own connection and counters. */
async function secondProcess(tenant: TestTenant): Promise<{ api: Api; operator: Api } & AsyncDisposable> {
  const { config, secrets } = service.deps
  const bus = await openRedisBus({ redisUrl: config.redisUrl, prefix: config.redisPrefix, secrets })
  const server = createServer(keepAlive, createApp({ ...service.deps, bus }).callback())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const place = server.address()
  const origin = `http://127.0.0.1:${typeof place === 'object' ? place?.port : ''}`
  return {
    api: createApi(origin, tenant.host),
    operator: createApi(origin, tenant.host, await tokenOf(origin, tenant.host, tenant.clientId, tenant.clientSecret)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await bus.close()
    },
  }
}

test('far from a limit writes share commands to Redis, and near it two processes enforce it together', async () => {
  const most = 40
  const tenant = await service.addTenant({ limits: { managementWritesPerMinute: most } })
  await using second = await secondProcess(tenant)
  const operators = [tenant.operator, second.operator]
  const answers = []
  for (let n = 0; n < most + 10; n++) answers.push((await operators[n % 2]!.post('/v1/users', user)).status)
  expect(answers).toEqual([...Array(most).fill(201), ...Array(10).fill(429)])

  const wide = await service.addTenant({ limits: { managementWritesPerMinute: 10_000 } })
  const monitor = connect(Number(new URL(redis.url).port), '127.0.0.1')
  const lines = createInterface(monitor)
  monitor.write('MONITOR\r\n')
  await once(lines, 'line')
  let commands = 0
  lines.on('line', (line) => {
    if (/"eval/i.test(line) && line.includes('counters') && line.includes(wide.id)) commands++
  })
  const began = performance.now()
  const sent = 60
  await Promise.all(Array.from({ length: sent }, () => wide.operator.post('/v1/users', user)))
  const reader = connectPatient(redis.url)
  await eventually(
    async () => (await reader.mget('none', ...(await reader.keys(`*counters*${wide.id}*`))))[1] === String(sent),
  )
  expect(commands).toBeGreaterThan(0)
  expect(commands).toBeLessThanOrEqual(2 + (performance.now() - began) / 100)
  reader.disconnect()
  monitor.destroy()
})

// test/shared/counters.test.ts tests how long a count waits.
test('the process counts writes while Redis does not answer', async () => {
  const tenant = await service.addTenant({ limits: { managementWritesPerMinute: 5 } })
  const admin = connectPatient(redis.url)
  await admin.call('CLIENT', 'PAUSE', '60000', 'WRITE')
  const answers = []
  for (let n = 0; n < 7; n++) answers.push((await tenant.operator.post('/v1/users', user)).status)
  await admin.call('CLIENT', 'UNPAUSE')
  admin.disconnect()
  expect(answers).toEqual([201, 201, 201, 201, 201, 429, 429])
})

test('the process counts wrong secrets while Redis is unreachable', async () => {
  const tenant = await service.addTenant()
  const address = newAddress()
  await redis.stop()
  for (let n = 0; n < wrongSecrets; n++) expect(await signIn(tenant, 'wrong', address)).toMatchObject({ status: 401 })
  await eventually(async () => (await signIn(tenant, 'wrong', address)).status === 429)
  redis = await startRedis({ port: Number(new URL(redis.url).port) })
})
