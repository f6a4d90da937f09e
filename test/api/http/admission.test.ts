import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { Context } from 'koa'
import { request as send } from 'undici'
import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { Deps } from '../../../api/deps.ts'
import { createAdmission } from '../../../api/http/admission.ts'
import type { RequestHooks } from '../../../api/http/request-hooks.ts'
import { anyone, defineRoute } from '../../../api/http/route.ts'
import { createSlot, type Slot } from '../../../api/http/slot.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { waitingRequests } from '../../harness/admission.ts'
import { eventually } from '../../harness/harness.ts'
import { type Kernel, readAt, startKernel } from '../../harness/kernel.ts'

/** A running handler with functions that end it. */
interface Begun {
  name: string
  slot: Slot
  end(): void
  fail(error: Error): void
}

let begun: Begun[] = []
beforeEach(() => {
  begun = []
})

const query = z.object({ name: z.string() })
const common = { ...readAt('/'), host: 'tenant', access: anyone, query } as const
type Bound = Deps & { slot: Slot }

async function untilEnded(name: string, deps: Deps): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  // Boundary: `bind` below adds the slot.
  begun.push({ name, slot: (deps as Bound).slot, end: resolve, fail: reject })
  await promise
}

const held = defineRoute({
  ...common,
  operation: 'held',
  path: '/held',
  handle: ({ query: { name }, deps }) => untilEnded(name, deps),
})
const received = defineRoute({
  ...common,
  operation: 'received',
  method: 'POST',
  path: '/received',
  body: z.object({}),
  handle: ({ query: { name }, deps }) => untilEnded(name, deps),
})
const health = defineRoute({ ...readAt('/health'), operation: 'health', async handle() {} })

const hooks = {
  // Boundary: the kernel reads only the id and the kind of a tenant.
  findTenant: async (_deps: Deps, { headers }: Context) => ({ id: String(headers['x-tenant']), kind: 'tenant' }),
  findKnownTenant: () => undefined,
  bind: (deps: Deps, { slot }: { slot: Slot }) => ({ ...deps, slot }),
} as unknown as Partial<RequestHooks>

const limits = { maxRunning: 4, maxRunningPerTenant: 2, maxWaitingPerTenant: 3, maxWaiting: 5 }
const start = (admission = createAdmission(limits), deadlineMs = 60_000) =>
  startKernel([held, received, health], hooks, { admission, deadlineMs })

/** Sends requests one after the other. `a1` and `a2` are requests of the tenant `a`. */
async function enqueue(kernel: Kernel, ...names: string[]) {
  const answers: Promise<number>[] = []
  for (const name of names) {
    const seen = begun.length + (await waitingRequests())
    const headers = { 'x-tenant': name.slice(0, 1) }
    answers.push(kernel.ask(`/held?name=${name}`, headers).then(({ status }) => status))
    await eventually(async () => begun.length + (await waitingRequests()) > seen)
  }
  return answers
}

const names = () => begun.map(({ name }) => name)
const find = (name: string) => begun.find((each) => each.name === name) as Begun

async function endAll(answers: Promise<number>[]): Promise<number[]> {
  const over = Promise.all(answers)
  for (let ended = 0; ended < answers.length; ended++) (await eventually(async () => begun[ended])).end()
  return over
}

test('tenants are served round robin, and one tenant leaves slots to others', async () => {
  await using kernel = await start()
  const answers = await enqueue(kernel, 'a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1', 'b2', 'c2')
  expect(names()).toEqual(['a1', 'a2', 'b1', 'c1'])
  expect(await waitingRequests()).toBe(5)
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3']) {
    const before = begun.length
    find(name).end()
    await eventually(async () => begun.length > before)
  }
  expect(names().slice(4)).toEqual(['a3', 'b2', 'c2', 'a4', 'a5'])
  find('b2').end()
  find('c2').end()
  find('a4').end()
  find('a5').end()
  expect(new Set(await Promise.all(answers))).toEqual(new Set([200]))
  expect(await waitingRequests()).toBe(0)
})

test('the capacity limits the running requests of all tenants and of one tenant, and adapts after each pass', async () => {
  let share = 0.5
  let passes = 0
  const observed: string[] = []
  const capacity = {
    get share() {
      return share
    },
    observe: (tenantId: string) => void observed.push(tenantId),
    adapt() {
      passes++
    },
  }
  await using kernel = await start(createAdmission(limits, capacity))
  const answers = await enqueue(kernel, 'a1', 'a2', 'b1', 'c1')
  expect(names()).toEqual(['a1', 'b1'])
  expect(observed).toEqual(['a', 'b'])
  expect(passes).toBe(2)
  share = 1
  find('a1').end()
  await eventually(async () => begun.length === 4)
  expect(new Set(await endAll(answers))).toEqual(new Set([200]))
})

test('a request over the limit of its tenant or of all tenants receives 503 with Retry-After, and health checks do not', async () => {
  await using kernel = await start()
  const answers = await enqueue(kernel, 'a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'b3', 'b4')
  const refused = async (tenant: string) => {
    const { status, headers } = await kernel.ask('/held?name=over', { 'x-tenant': tenant })
    return [status, headers['retry-after']]
  }
  expect(await refused('a')).toEqual([503, '2'])
  expect(await refused('c')).toEqual([503, '2'])
  expect((await kernel.ask('/health')).status).toBe(200)
  expect(new Set(await endAll(answers))).toEqual(new Set([200]))
  expect(names()).not.toContain('over')
})

test('a request releases its slot while it waits for other services and then continues without a free slot', async () => {
  await using kernel = await start()
  const answers = await enqueue(kernel, 'a1', 'a2', 'a3')
  const { promise, resolve } = Promise.withResolvers<string>()
  // Two concurrent waits release one slot.
  const waits = Promise.all([find('a1').slot.releaseDuring(promise), find('a1').slot.releaseDuring(promise)])
  await eventually(async () => names().includes('a3'))
  answers.push(...(await enqueue(kernel, 'a4')))
  expect(names()).toEqual(['a1', 'a2', 'a3'])
  resolve('answered')
  expect(await waits).toEqual(['answered', 'answered'])
  // Three requests of the tenant are running. The end of one leaves no slot for the fourth.
  find('a2').end()
  expect(await answers[1]).toBe(200)
  expect(names()).toEqual(['a1', 'a2', 'a3'])
  find('a1').end()
  await eventually(async () => names().includes('a4'))
  find('a3').end()
  find('a4').end()
  expect(new Set(await Promise.all(answers))).toEqual(new Set([200]))
})

test('a request keeps its slot if the result is already known', async () => {
  const admission = createAdmission({ maxRunning: 1, maxRunningPerTenant: 1, maxWaitingPerTenant: 1, maxWaiting: 1 })
  // Boundary: a slot uses its response only while it waits in the line.
  const newSlot = () => createSlot(admission, new EventEmitter() as ServerResponse)
  const [slot, other] = [newSlot(), newSlot()]
  expect(slot.take('a')).toBeUndefined()
  let isAdmitted = false
  const admitted = other.take('b')?.then(() => {
    isAdmitted = true
  })
  // The admission takes requests again in the next tick of the event loop.
  await setImmediate()
  expect(await slot.releaseDuring(Promise.resolve('cached'))).toBe('cached')
  await expect(slot.releaseDuring(Promise.reject(new Error('cached failure')))).rejects.toThrow('cached failure')
  await setImmediate()
  expect(isAdmitted).toBe(false)
  slot.end()
  await admitted
  expect(isAdmitted).toBe(true)
})

test('a request over the rate limit receives 429 even if its tenant has no slot and a full line', async () => {
  const admit: RequestHooks['admit'] = async (_route, { headers }) => {
    if (headers['x-flood']) throw new Problem('too_many_requests')
  }
  await using kernel = await startKernel(
    [held],
    { ...hooks, admit },
    { admission: createAdmission(limits), deadlineMs: 60_000 },
  )
  const answers = await enqueue(kernel, 'a1', 'a2', 'a3', 'a4', 'a5')
  expect((await kernel.ask('/held?name=a', { 'x-tenant': 'a', 'x-flood': '1' })).status).toBe(429)
  expect(await waitingRequests()).toBe(3)
  expect(new Set(await endAll(answers))).toEqual(new Set([200]))
})

test('a slow body occupies no slot', async () => {
  await using kernel = await start()
  const slow = Array.from({ length: 2 }, () => {
    const body = new PassThrough()
    body.write('{')
    const headers = { 'x-tenant': 'a', 'content-type': 'application/json' }
    const answer = send(`${kernel.origin}/received?name=a`, { method: 'POST', headers, body })
    return { body, answer }
  })
  const answers = await enqueue(kernel, 'a1', 'a2', 'a3')
  expect(names()).toEqual(['a1', 'a2'])
  for (const { body } of slow) body.end('}')
  await eventually(async () => (await waitingRequests()) === 3)
  expect(new Set(await endAll([...answers, ...slow.map(async ({ answer }) => (await answer).statusCode)]))).toEqual(
    new Set([200]),
  )
})

test('a request leaves the line when its client disconnects and at its deadline', async () => {
  const admission = createAdmission(limits)
  await using kernel = await start(admission, 1_000)
  const holding = Array.from({ length: limits.maxRunningPerTenant }, () => {
    const request = { tenantId: 'a', weight: 1, isUnderWay: false, admit() {} }
    admission.add(request)
    return request
  })
  const client = new AbortController()
  const gone = send(`${kernel.origin}/held?name=gone`, { headers: { 'x-tenant': 'a' }, signal: client.signal })
  gone.catch(() => undefined)
  await eventually(async () => (await waitingRequests()) === 1)
  client.abort()
  await eventually(async () => (await waitingRequests()) === 0)
  await expect(gone).rejects.toThrow('aborted')

  const { status, headers } = await kernel.ask('/held?name=late', { 'x-tenant': 'a' })
  expect([status, headers['retry-after']]).toEqual([503, '2'])
  expect(await waitingRequests()).toBe(0)
  for (const request of holding) admission.release(request)
  const answers = await enqueue(kernel, 'a1', 'a2')
  expect(names()).toEqual(['a1', 'a2'])
  expect(await endAll(answers)).toEqual([200, 200])
})

test('each slot is released once, however its request ends', async () => {
  await using kernel = await start()
  for (let round = 0; round < 3; round++) {
    begun = []
    const answers = await enqueue(kernel, 'a1', 'a2')
    find('a1').fail(new Error('a bug'))
    // The request ends while it waits. The result arrives later.
    const { promise, resolve } = Promise.withResolvers<void>()
    const wait = find('a2').slot.releaseDuring(promise)
    find('a2').end()
    expect(await Promise.all(answers)).toEqual([500, 200])
    resolve()
    await wait
  }
  begun = []
  const answers = await enqueue(kernel, 'a1', 'a2', 'a3', 'b1', 'b2', 'b3')
  expect(names()).toEqual(['a1', 'a2', 'b1', 'b2'])
  expect(new Set(await endAll(answers))).toEqual(new Set([200]))
})
