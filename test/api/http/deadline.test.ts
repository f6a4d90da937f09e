import { expect, test } from 'vitest'
import { anyone, defineRoute } from '../../../api/http/route.ts'
import { readAt, startKernel } from '../../harness/kernel.ts'

const never = new Promise<never>(() => {})
const common = { ...readAt('/'), host: 'tenant', access: anyone } as const
const handler = defineRoute({ ...common, operation: 'handler', path: '/handler', handle: () => never })
const quick = defineRoute({ ...common, operation: 'quick', path: '/quick', async handle() {} })

/** That of the kernel of tests. */
const deadlineMs = 1_000

test.each([
  ['its handler', '/handler', {}],
  ['its tenant', '/quick', { findTenant: () => never }],
  ['its limits', '/quick', { admit: () => never }],
])(
  'a request whose deadline comes while it waits for %s is answered 503 with Retry-After',
  async (_what, path, door) => {
    await using kernel = await startKernel([handler, quick], door)
    const sentAt = performance.now()
    const { status, headers } = await kernel.ask(path)
    expect([status, headers['retry-after']]).toEqual([503, '2'])
    expect(performance.now() - sentAt).toBeGreaterThan(deadlineMs - 10)
  },
)
