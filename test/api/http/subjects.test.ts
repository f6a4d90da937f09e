import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Subjects } from '../../../api/http/report.ts'
import { anyone, defineRoute, operators, wallet } from '../../../api/http/route.ts'
import { startKernel } from '../../harness/kernel.ts'

const common = {
  summary: 'Test',
  tag: 'Test',
  method: 'GET',
  status: 200,
  response: z.record(z.string(), z.unknown()),
} as const

/**
 * The type check covers the `@ts-expect-error` comments. It fails if one of these handlers compiles without an error.
 */
const routes = [
  defineRoute({
    ...common,
    operation: 'operators',
    path: '/operators',
    access: operators('admin'),
    // @ts-expect-error An operator route has no holder.
    handle: async ({ caller, holder }) => ({ caller: caller.clientId, holder }),
  }),
  defineRoute({
    ...common,
    operation: 'wallets',
    path: '/wallets',
    access: wallet,
    // @ts-expect-error A wallet route has no caller.
    handle: async ({ caller, holder }) => ({ caller, holder: holder.sessionId }),
  }),
  defineRoute({
    ...common,
    operation: 'anyone',
    path: '/anyone',
    access: anyone,
    // @ts-expect-error An anonymous route has no caller.
    handle: async ({ caller }) => ({ caller }),
  }),
]

test('a handler receives the subject that the access of its route authenticates', async () => {
  // Boundary: the handlers read one member of each subject.
  const subjects = {
    operators: { caller: { clientId: 'client' } },
    wallet: { holder: { sessionId: 'session' } },
    anyone: {},
  } as unknown as Record<string, Subjects>
  await using kernel = await startKernel(routes, { authenticate: async ({ kind }) => subjects[kind] ?? {} })

  expect((await kernel.ask('/operators')).text).toBe('{"caller":"client"}')
  expect((await kernel.ask('/wallets')).text).toBe('{"holder":"session"}')
  expect((await kernel.ask('/anyone')).text).toBe('{}')
})
