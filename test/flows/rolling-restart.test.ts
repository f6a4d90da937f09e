import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { request } from 'undici'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { deliveries } from '../../db/tables/operations/deliveries.ts'
import { events } from '../../db/tables/operations/events.ts'
import type { ApiResponse } from '../harness/api-client.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { eventually, type TestTenant, testTenant } from '../harness/harness.ts'
import { type Processes, startProcesses } from '../harness/processes.ts'
import { inherited } from '../harness/started.ts'
import { startProxy } from '../servers/proxy.ts'
import { startReceiver } from '../servers/receiver.ts'
import { newWallet } from '../wallets/wallet.ts'

/** Fifteen looks of the proxy, of which one is enough: on a busy machine they are late. */
const noticeMs = 3_000
const wallets = 4
/** The log message of a process that had to end connections. */
const cutOff = 'connections cut off'

let service: Processes
let receiver: Awaited<ReturnType<typeof startReceiver>>
let configurationId: string
beforeAll(async () => {
  receiver = await startReceiver()
  service = await startProcesses({ STOP_NOTICE_MS: String(noticeMs) })
  await service.start('second web')
  configurationId = await compactConfiguration(service.tenant)
  const webhook = { events: ['OpenIdCredentialIssued'], url: receiver.url }
  expect(await service.tenant.operator.post('/v1/webhooks', webhook)).toMatchObject({ status: 201 })
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

test('two web processes are restarted in turn behind a proxy, under load, and no request fails', async () => {
  onTestFailed(() => console.error(service.errorOutput().slice(-20_000)))
  await using proxy = await startProxy([service.origin, service.secondOrigin])
  onTestFailed(() => console.error(proxy.failures))
  await eventually(async () => proxy.ready() === 2)
  const tenant = await throughProxy(proxy.origin)
  const load = startLoad(tenant, proxy.origin)

  /** Until both have answered for a while. */
  const bothAnswer = async () => {
    const before = proxy.answered()
    await eventually(async () => proxy.answered().every((answered, of) => answered > before[of]! + 50))
  }

  await bothAnswer()
  const exits: unknown[] = []
  for (const web of ['web', 'second web'] as const) {
    exits.push(await service.stop(web))
    await service.start(web)
    await eventually(async () => proxy.ready() === 2)
    await bothAnswer()
  }
  await load.untilIssued(4 * wallets)
  const { statuses } = await load.stop()

  expect(exits).toEqual([0, 0])
  expect(proxy.failures).toEqual([])
  expect([...statuses.keys()].sort()).toEqual([200, 201])
})

test('a web process that stops fails readiness first, answers requests, closes idle connections and exits with 0', {
  tags: 'once',
}, async () => {
  const idle = connect(Number(new URL(service.origin).port), '127.0.0.1') // as browsers open them, ahead of need
  await new Promise((resolve) => idle.once('connect', resolve))
  expect((await request(`${service.origin}/health/ready`)).headers.connection).toBe('keep-alive')
  const exit = service.stop('web')
  const notice = await eventually(async () => {
    const answer = await request(`${service.origin}/health/ready`)
    const body = await answer.body.json()
    return answer.statusCode === 503 && { ...answer, body }
  })
  expect(notice).toMatchObject({ headers: { connection: 'close' }, body: { phase: 'stopping' } })
  expect(await request(`${service.origin}/health/live`)).toMatchObject({
    statusCode: 200,
    headers: { connection: 'close' },
  })
  expect(await exit).toBe(0)
  expect(service.output()).not.toContain(cutOff)
  idle.destroy()
  await service.start('web')
})

// It waits for the second web process, and the test after it for workers: they do so together.
test.concurrent('a request whose rest never arrives does not prevent a web process from exiting with 0', {
  tags: 'once',
}, async () => {
  const { port, hostname } = new URL(service.secondOrigin)
  const half = connect(Number(port), hostname)
  half.on('error', () => undefined) // it is cut in the end
  const { host } = new URL(service.tenant.baseUrl)
  half.write(
    `POST /oauth/token HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n{`,
  )
  // The server has read the head of the request when it writes this interim response.
  expect(String(await once(half, 'data'))).toMatch(/^HTTP\/1.1 100 /)
  expect(await service.stop('second web')).toBe(0)
  expect(service.output()).toContain(cutOff)
  await service.start('second web')
})

test.concurrent('a process stores its compiled code when it ends, and not while it serves', {
  tags: 'once',
}, async () => {
  // It is some 1,000 files, in one go. With a busy disk nothing else was done for seconds. A minute of timers passes at once in the child.
  const cache = join(service.dir, 'compile-cache')
  const words = `import { mock } from 'node:test'
    import { endLoading, stopOnSignals } from './shared/process/process.ts'
    stopOnSignals(console, async () => {})
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
    endLoading()
    mock.timers.tick(60_000)
    await new Promise((resolve) => setImmediate(resolve))
    mock.timers.reset()
    setInterval(() => {}, 1_000)
    process.send('serving')`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', words], {
    env: { ...inherited(), NODE_COMPILE_CACHE: cache },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await once(child, 'message')
  const kept = () => readdirSync(cache, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const whileServing = kept()
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(whileServing).toEqual([])
  expect(kept().length).toBeGreaterThan(0)
})

test.concurrent('workers that are stopped exit with 0 and lose no job', async () => {
  const load = startLoad(service.tenant, service.origin)
  const exits: unknown[] = []
  for (const name of ['signing', 'worker', 'worker', 'signing'] as const) {
    await load.untilIssued(wallets)
    exits.push(await service.stop(name))
    await service.start(name)
  }
  await load.untilIssued(wallets)
  const { statuses, issued } = await load.stop()
  expect(exits).toEqual([0, 0, 0, 0])
  // The wallet repeats a request if the signing process is unavailable for longer than the wallet waits.
  expect([...statuses.keys()].filter((status) => ![200, 201, 503].includes(status))).toEqual([])
  const { read } = service.db
  await eventually(async () => (await read.$count(deliveries, eq(deliveries.state, 'delivered'))) >= issued)
})

test('a killed web process loses at most the analytics of its last quarter of a second', async () => {
  const owed: string[] = []
  const ask = async () => {
    while (owed.length < 300) {
      const answer = await service.tenant.operator.get('/v1/users?limit=1')
      owed.push(String(answer.headers['x-request-id']))
    }
  }
  await Promise.all(Array.from({ length: 4 }, ask))
  // The last of them are too few for a batch, so a timer sends them.
  await sleep(250)
  // The process answers after its due timers, and Redis answers readiness on the connection of the events.
  for (let time = 0; time < 2; time++) await (await request(`${service.origin}/health/ready`)).body.dump()
  await service.kill('web')
  await eventually(async () => {
    const rows = await service.db.read
      .select({ requestId: events.requestId })
      .from(events)
      .where(eq(events.type, 'USER_RETRIEVE_LIST_SUCCESS'))
    const stored = new Set(rows.map(({ requestId }) => requestId))
    return owed.every((requestId) => stored.has(requestId))
  })
  await service.start('web')
})

/** The tenant as clients of the proxy see it. */
async function throughProxy(origin: string): Promise<TestTenant> {
  const { id, baseUrl, did, clientId, clientSecret } = service.tenant
  return testTenant(origin, { id, baseUrl, did, client: { clientId, clientSecret } })
}

/** Wallets that collect credential after credential, and operators that write and read all the time. */
function startLoad(tenant: TestTenant, origin: string) {
  const statuses = new Map<number, number>()
  let issued = 0
  let stopped = false
  const seen = (answer: ApiResponse) => {
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    return answer
  }
  const collect = async () => {
    const wallet = await newWallet(tenant, origin, (await newOffer(tenant, [configurationId])).uri)
    seen(await wallet.redeem())
    if (seen(await wallet.requestCredential()).status === 200) issued++
  }
  const manage = async () => {
    seen(await tenant.operator.post('/v1/users', { claims: { given_name: 'Ada' } }))
    seen(await tenant.operator.get('/v1/users?limit=5'))
  }
  const tasks = [...Array.from({ length: wallets }, () => collect), manage, manage]
  const loops = tasks.map(async (task) => {
    // A restart takes seconds, in which there are hundreds of requests.
    for (; !stopped; await sleep(100)) await task()
  })
  return {
    /** Until so many more have been issued. */
    async untilIssued(more: number) {
      const before = issued
      await eventually(async () => issued >= before + more)
    },
    async stop() {
      stopped = true
      await Promise.all(loops)
      return { statuses, issued }
    },
  }
}
