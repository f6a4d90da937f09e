import { request } from 'undici'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Tenant } from '../../../api/access/subjects.ts'
import { multipart } from '../../../api/http/multipart/multipart.ts'
import { anyone, defineRoute } from '../../../api/http/route.ts'
import { readAt, startKernel } from '../../harness/kernel.ts'

const never = new Promise<never>(() => {})
const common = { ...readAt('/'), host: 'tenant', access: anyone } as const
const handler = defineRoute({ ...common, operation: 'handler', path: '/handler', handle: () => never })
const quick = defineRoute({ ...common, operation: 'quick', path: '/quick', async handle() {} })

const verify = defineRoute({
  ...common,
  operation: 'verify',
  method: 'POST',
  path: '/verify',
  body: z.object({}),
  consumes: multipart({ file: 'file', limitBytes: 1_000, isHeld: true, orJson: 'payload' }),
  handle: () => never,
})

const deadlineMs = 1_000

test('a JSON body in place of a file has a deadline', async () => {
  await using kernel = await startKernel([verify], {}, { deadlineMs })
  const headers = { 'content-type': 'application/json' }
  const { statusCode } = await request(`${kernel.origin}/verify`, { method: 'POST', headers, body: '{"payload":"x"}' })
  expect(statusCode).toBe(503)
})

test.each([
  ['its handler', '/handler', {}],
  ['its tenant', '/quick', { findTenant: () => never }],
  ['its limits', '/quick', { admit: () => never }],
])('a request that waits for %s until its deadline receives 503 with Retry-After', async (_what, path, hooks) => {
  await using kernel = await startKernel([handler, quick], hooks, { deadlineMs })
  const sentAt = performance.now()
  const { status, headers } = await kernel.ask(path)
  expect([status, headers['retry-after']]).toEqual([503, '2'])
  expect(performance.now() - sentAt).toBeGreaterThan(deadlineMs - 10)
})

test.each([
  ['findTenant', 'GET'],
  ['count', 'GET'],
  ['openBody', 'POST'],
] as const)('after the deadline, no handler or rate limit is called when %s settles', async (late, method) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const steps: string[] = []
  const step = async <Result>(name: string, result: Result): Promise<Result> => {
    steps.push(name)
    if (name !== late) return result
    await released
    setImmediate(end)
    return result
  }
  const stepped = { ...common, path: '/stepped', handle: () => step('handle', undefined) }
  const plain = defineRoute({ ...stepped, operation: 'plain' })
  const encrypted = defineRoute({
    ...stepped,
    operation: 'encrypted',
    method: 'POST',
    body: z.object({}),
    consumes: ['application/jwt'],
    openBody: () => step('openBody', Buffer.from('{}')),
  })
  const hooks = {
    // Boundary: the kernel reads only the id and the kind of a tenant.
    findTenant: () => step('findTenant', { id: 'tenant', kind: 'tenant' } as Tenant),
    findKnownTenant: () => undefined,
    admit: () => step('admit', undefined),
    count: () => step('count', undefined),
  }
  await using kernel = await startKernel([plain, encrypted], hooks, { deadlineMs })
  const body = method === 'POST' ? { headers: { 'content-type': 'application/jwt' }, body: 'jwe' } : {}
  const { statusCode } = await request(`${kernel.origin}/stepped`, { method, ...body })
  release()
  await ended
  expect([statusCode, steps.at(-1)]).toEqual([503, late])
})
