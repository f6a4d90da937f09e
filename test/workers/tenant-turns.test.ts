import { expect, test } from 'vitest'
import { Postpone } from '../../workers/serve.ts'
import { createTenantTurns, type TenantTurns } from '../../workers/tenant-turns.ts'

/** Asks for a turn. Returns a function that ends it, or undefined if the job was postponed. */
function ask(turns: TenantTurns, tenantId: string, id: string): (() => Promise<void>) | undefined {
  let isRunning = false
  const { promise: work, resolve } = Promise.withResolvers<void>()
  const turn = turns.take({ tenantId, id }, () => {
    isRunning = true
    return work
  })
  turn.catch((error: unknown) => expect(error).toBeInstanceOf(Postpone))
  const end = async () => {
    resolve()
    await turn
  }
  return isRunning ? end : undefined
}

test('a tenant with many jobs has one turn at a time, and leaves the others to other tenants', async () => {
  const turns = createTenantTurns(2)
  const end = ask(turns, 'a', 'a1')
  expect(end).toBeDefined()
  for (const id of ['a2', 'a3', 'a4']) expect(ask(turns, 'a', id)).toBeUndefined()
  expect(ask(turns, 'b', 'b1')).toBeDefined()
  expect(ask(turns, 'c', 'c1')).toBeUndefined()
  await end?.()
  // The last turn of c is longer ago.
  expect(ask(turns, 'a', 'a2')).toBeUndefined()
  expect(ask(turns, 'c', 'c1')).toBeDefined()
})

test('a job that returns for its next turn does not overtake those that wait', async () => {
  const turns = createTenantTurns(1)
  await ask(turns, 'a', 'a1')?.()
  const second = ask(turns, 'a', 'a1')
  expect(ask(turns, 'b', 'b1')).toBeUndefined()
  await second?.()
  expect(ask(turns, 'a', 'a1')).toBeUndefined()
  await ask(turns, 'b', 'b1')?.()
  await ask(turns, 'a', 'a1')?.()
})

test('the jobs of one tenant take turns too', async () => {
  const turns = createTenantTurns(2)
  const first = ask(turns, 'a', 'a1')
  expect(ask(turns, 'a', 'a2')).toBeUndefined()
  await first?.()
  expect(ask(turns, 'a', 'a1')).toBeUndefined()
  await ask(turns, 'a', 'a2')?.()
  await ask(turns, 'a', 'a1')?.()
})

test('a job that does not ask again is not waited for', async () => {
  let at = 0
  const turns = createTenantTurns(1, () => at)
  const first = ask(turns, 'a', 'a1')
  expect(ask(turns, 'b', 'b1')).toBeUndefined()
  await first?.()
  expect(ask(turns, 'a', 'a1')).toBeUndefined()
  at += 1_000
  expect(ask(turns, 'a', 'a1')).toBeDefined()
})

test('a turn ends also if its work fails', async () => {
  const turns = createTenantTurns(1)
  const job = { tenantId: 'a', id: 'a1' }
  const failing = turns.take(job, async () => {
    throw new Error('the database is gone')
  })
  await expect(failing).rejects.toThrow('the database is gone')
  await expect(turns.take(job, async () => 'done')).resolves.toBe('done')
})
