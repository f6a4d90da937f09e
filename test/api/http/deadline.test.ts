import { request } from 'undici'
import { expect, test } from 'vitest'
import { z } from 'zod'
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
