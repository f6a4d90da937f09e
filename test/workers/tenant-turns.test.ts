import { describe, expect, test } from 'vitest'
import { newId } from '../../shared/ids.ts'
import { createTenantTurns, type TenantTurns } from '../../workers/jobs/tenant-turns.ts'
import { Postpone } from '../../workers/serve.ts'

/** Asks for a turn. Returns a function that ends it, or undefined if the job was postponed. */
function ask(turns: TenantTurns, tenantId: string, id: string): ((error?: Postpone) => Promise<void>) | undefined {
  let isRunning = false
  const { promise: work, resolve, reject } = Promise.withResolvers<void>()
  const turn = turns.take({ tenantId, id }, () => {
    isRunning = true
    return work
  })
  turn.catch((error: unknown) => expect(error).toBeInstanceOf(Postpone))
  const end = async (error?: Postpone) => {
    if (!error) resolve()
    else reject(error)
    await turn.catch(() => {})
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

describe('a tenant that finishes its jobs', () => {
  const workLeft = () => new Postpone(0)

  test('begins the next job after the end of the last one', async () => {
    const turns = createTenantTurns(2, { finishesJobs: true })
    const first = ask(turns, 'a', 'a1')
    for (const id of ['a2', 'a3', 'a4', 'a5']) expect(ask(turns, 'a', id)).toBeUndefined()
    await first?.(workLeft())
    for (let turn = 0; turn < 3; turn++) {
      for (const id of ['a2', 'a3', 'a4', 'a5']) expect(ask(turns, 'a', id)).toBeUndefined()
      await ask(turns, 'a', 'a1')!(turn < 2 ? workLeft() : undefined)
    }
    await ask(turns, 'a', 'a4')!(workLeft())
    expect(ask(turns, 'a', 'a2')).toBeUndefined()
  })

  test('takes turns with other tenants as before', async () => {
    const turns = createTenantTurns(1, { finishesJobs: true })
    const first = ask(turns, 'a', 'a1')
    for (const id of ['a2', 'a3']) expect(ask(turns, 'a', id)).toBeUndefined()
    expect(ask(turns, 'b', 'b1')).toBeUndefined()
    await first?.(workLeft())
    expect(ask(turns, 'a', 'a1')).toBeUndefined()
    await ask(turns, 'b', 'b1')!(workLeft())
    expect(ask(turns, 'b', 'b1')).toBeUndefined()
    expect(ask(turns, 'a', 'a2')).toBeUndefined()
    await ask(turns, 'a', 'a1')!(workLeft())
    await ask(turns, 'b', 'b1')!()
  })

  test('delays no other tenant while its last job is in another process, and then begins the next one', async () => {
    let at = 0
    const turns = createTenantTurns(1, { finishesJobs: true, now: () => at })
    await ask(turns, 'b', 'b1')!(workLeft())
    await ask(turns, 'a', 'a1')!(workLeft())
    await ask(turns, 'b', 'b1')!(workLeft())
    // The next turn of the tenant a would be first, but only the job a2 asks.
    expect(ask(turns, 'a', 'a2')).toBeUndefined()
    await ask(turns, 'b', 'b1')!(workLeft())
    at += 10_000
    await ask(turns, 'a', 'a2')!()
  })
})

test('a job that does not ask again is not waited for', async () => {
  let at = 0
  const turns = createTenantTurns(1, { now: () => at })
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

test('jobs that came together ask for their turns spread over two seconds', async () => {
  let at = Date.parse('2026-03-01T12:00:00.000Z')
  const turns = createTenantTurns(1, { now: () => at })
  void turns.take({ tenantId: 'running', id: newId() }, () => new Promise(() => {}))
  const jobs = Array.from({ length: 1_200 }, (_, n) => ({ tenantId: `tenant-${n % 40}`, id: newId(), asksAt: at }))
  const asked: number[] = []
  const endsAt = at + 10_000
  for (; at < endsAt; at += 10) {
    for (const job of jobs.filter(({ asksAt }) => asksAt <= at)) {
      asked.push(at)
      const refusal: unknown = await turns.take(job, async () => {}).catch((error: unknown) => error)
      job.asksAt = at + (refusal instanceof Postpone ? refusal.delayMs : Number.NaN)
    }
  }
  // The first time is that of the uploads.
  const perSecond = Map.groupBy(asked.slice(jobs.length), (time) => Math.floor(time / 1_000))
  const counts = [...perSecond.values()].map(({ length }) => length)
  expect(Math.max(...counts)).toBeLessThan(900)
  expect(counts.reduce((sum, count) => sum + count) / 10).toBeLessThan(800)
})
