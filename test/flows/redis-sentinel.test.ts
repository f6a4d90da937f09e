import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { createSentinelCheck, reachSentinels } from '../../shared/jobs/redis-sentinel.ts'
import { createCommands } from '../harness/commands.ts'
import { newOffer, webConfiguration } from '../harness/factories.ts'
import { eventually } from '../harness/harness.ts'
import { type Processes, startProcesses } from '../harness/processes.ts'
import { sentinelPassword, startSentinels, type TestSentinels } from '../harness/redis-sentinel.ts'
import { sharedRedisUrl } from '../harness/shared-redis.ts'
import { startReceiver } from '../servers/receiver.ts'
import { persist } from '../wallets/persistent-wallet.ts'
import { newWallet } from '../wallets/wallet.ts'

describe('with Sentinels', { tags: 'sentinel' }, () => {
  let redis: TestSentinels
  let service: Processes
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  let configurationId: string
  let sharedUrl: string
  beforeAll(async () => {
    redis = await startSentinels()
    sharedUrl = await sharedRedisUrl()
    receiver = await startReceiver()
    service = await startProcesses({ REDIS_URL: redis.url, CREDENTIAL_DEADLINE_MS: '5000' })
    configurationId = await webConfiguration(service.tenant)
    const webhook = { events: ['OpenIdCredentialIssued'], url: receiver.url }
    expect(await service.tenant.operator.post('/v1/webhooks', webhook)).toMatchObject({ status: 201 })
  })
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]()
    await receiver?.[Symbol.asyncDispose]()
    await redis?.[Symbol.asyncDispose]()
  })

  const readiness = async () => {
    const { statusCode, body } = await request(`${service.origin}/health/ready`)
    return { statusCode, body: (await body.json()) as { checks: Record<string, string>; problems: string[] } }
  }

  /** Waits until a wallet holds a credential and its event was delivered once. */
  async function issueAndDeliver(): Promise<void> {
    const offer = await newOffer(service.tenant, [configurationId])
    const wallet = await newWallet(service.tenant, service.origin, offer.uri)
    expect(await persist(() => wallet.redeem())).toMatchObject({ status: 200 })
    expect(await persist(() => wallet.requestCredential())).toMatchObject({ status: 200 })
    const received = () => receiver.deliveries.filter(({ body }) => body.event.payload.credentialOfferId === offer.id)
    await eventually(async () => received().length > 0)
    expect(new Set(received().map(({ body }) => body.event.id)).size).toBe(1)
  }

  test('all processes follow a failover to the replica, and the old master that comes back as its replica', async () => {
    onTestFailed(() => console.error(service.errorOutput().slice(-20_000)))
    await issueAndDeliver()
    expect(await readiness()).toMatchObject({ statusCode: 200, body: { problems: [] } })
    const [first, second] = redis.servers
    expect(await redis.masterPort()).toBe(first?.port)
    await first?.kill()
    await eventually(async () => (await redis.masterPort()) === second?.port)
    await issueAndDeliver()
    await eventually(async () => (await readiness()).statusCode === 200)
    await first?.start()
    await issueAndDeliver()
  })

  test('readiness names Sentinels that do not answer, and that the others cannot decide a failover', async () => {
    const [, second, third] = redis.sentinels
    await Promise.all([second?.kill(), third?.kill()])
    const problems = await eventually(async () => {
      const { statusCode, body } = await readiness()
      return statusCode === 200 && body.problems.length === 3 && body.problems
    })
    const [first, ...others] = redis.addresses
    expect(problems).toEqual([
      `The Sentinel at ${first} reaches too few Sentinels for a failover of main: start the others`,
      ...others.map((address) => `The Sentinel at ${address} does not answer (ECONNREFUSED)`),
    ])
    await issueAndDeliver()
    await Promise.all([second?.start(), third?.start()])
    await eventually(async () => (await readiness()).body.problems.length === 0)
  })

  const withPassword = (change: (url: URL) => void) => {
    const url = new URL(redis.url.replace('redis+sentinel:', 'http:').replace(/,[^/]*/, ''))
    change(url)
    return url.toString().replace('http:', 'redis+sentinel:')
  }

  test('a user of the Sentinels needs no right to ask for the quorum', async () => {
    const sentinel = new Redis(redis.sentinels[0]!.port, { password: sentinelPassword })
    await sentinel.call('ACL', 'SETUSER', 'limited', 'on', '>of-limited', '+@all', '-sentinel|ckquorum')
    sentinel.disconnect()
    const url = withPassword((each) => (each.search = '?sentinelUsername=limited&sentinelPassword=of-limited'))
    await reachSentinels(url)
    expect(await createSentinelCheck(url)()).toEqual([])
  })

  const refusals = [
    {
      fault: 'an unknown master',
      url: () => withPassword((url) => (url.pathname = '/other')),
      line: () =>
        `The Sentinel at ${redis.addresses[0]} knows no master other. Correct the name at the end of REDIS_URL.`,
    },
    {
      fault: 'a wrong password of the Sentinels',
      url: () => withPassword((url) => (url.search = '?sentinelPassword=wrong')),
      line: () => `The Sentinel at ${redis.addresses[0]} refuses sentinelUsername or sentinelPassword of REDIS_URL`,
    },
    {
      fault: 'the scheme of Sentinels for one Redis',
      url: () => `redis+sentinel://${new URL(sharedUrl).host}/main`,
      line: () =>
        `REDIS_URL has the scheme of Sentinels, but Redis at ${new URL(sharedUrl).host} is no Sentinel. Use redis:// or rediss://, or the port of a Sentinel (26379).`,
    },
    {
      fault: 'the scheme of one Redis for a Sentinel',
      url: () => withPassword((url) => (url.password = sentinelPassword)).replace(/\+sentinel|\/main.*/g, ''),
      line: () =>
        `Redis at redis://${redis.addresses[0]} is a Sentinel. Set REDIS_URL to redis+sentinel://HOST:PORT,HOST:PORT/MASTER with the Sentinels and the name of the master.`,
    },
  ]

  test.each(refusals)('a process ends with one line because of $fault', async ({ url, line }) => {
    const required = { SERVICE_SECRET: randomBytes(32).toString('base64'), DATA_DIR: service.dir }
    const { run, end } = createCommands({ ...required, DATABASE_URL: service.databaseUrl })
    const { code, output } = await run('workers/main.ts relay', { REDIS_URL: url(), LOG_LEVEL: 'error' })
    end()
    expect({ code, output }).toEqual({ code: 1, output: `${line()}\n` })
  })
})
