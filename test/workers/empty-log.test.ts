import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../db/client.ts'
import { users } from '../../db/tables/issuance/users.ts'
import { outbox } from '../../db/tables/outbox.ts'
import { Postpone } from '../../workers/serve.ts'
import { createEmptyLog } from '../../workers/upkeep/empty-log.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'

/** A database whose log is emptied or not, as the test decides. */
function counting(answer: () => Promise<boolean>) {
  const seen = { calls: 0 }
  const emptyLog = () => {
    seen.calls++
    return answer()
  }
  return { seen, emptyLog: createEmptyLog({ db: { ...service.deps.db, emptyLog } }) }
}

const many = Array.from({ length: 20 })
let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

test('concurrent requests empty the log twice at most, and not before the last request', async () => {
  const { promise: isEmptied, resolve: end } = Promise.withResolvers<boolean>()
  const { seen, emptyLog } = counting(() => isEmptied)
  const first = emptyLog()
  await expect.poll(() => seen.calls).toBe(1)
  const others = Promise.all(many.map(() => emptyLog()))
  end(true)
  await first
  expect(seen.calls).toBe(1)
  await others
  expect(seen.calls).toBe(2)
})

test('the log is emptied at most five times a second, also for consecutive requests', async () => {
  const { seen, emptyLog } = counting(async () => true)
  const startedAt = performance.now()
  for (let n = 0; n < 4; n++) await emptyLog()
  expect(performance.now() - startedAt).toBeGreaterThan(3 * 190)
  expect(seen.calls).toBe(4)
})

test('if other connections always block it, all requests are repeated later and nothing waits in between', async () => {
  const { seen, emptyLog } = counting(async () => false)
  const startedAt = performance.now()
  const failures = await Promise.allSettled(many.map(() => emptyLog()))
  for (const failure of failures) expect(failure).toMatchObject({ status: 'rejected', reason: expect.any(Postpone) })
  expect(seen.calls).toBe(5)
  // Others run between two tries.
  expect(performance.now() - startedAt).toBeGreaterThan(300)
  await expect(emptyLog()).rejects.toThrow(Postpone)
  expect(seen.calls).toBe(5)
})

test('writes continue while twenty people are erased at once', async () => {
  const { operator, deps } = service
  const ids: string[] = []
  for (const _ of many) ids.push((await operator.post('/v1/users', { claims: { given_name: 'Ada' } })).body.id)
  // Another process has a connection of its own.
  const db: Database = openDatabase(deps.config.databaseUrl, { survives: 'crash' })
  let writes = 0
  let isOver = false
  const writer = (async () => {
    for (; !isOver; await sleep(2)) {
      // Throws if the database stays blocked.
      await db.tx((tx) => tx.update(users).set({ claims: {} }).where(eq(users.id, service.id)))
      writes++
    }
  })()
  const answers = await Promise.all(ids.map((id) => operator.delete(`/v1/users/${id}`)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
  // The first time is done; the second one comes two minutes later.
  await eventually(async () => (await deps.bus.queue('upkeep').getDelayedCount()) >= many.length)
  isOver = true
  await writer
  await db.close()
  expect(writes).toBeGreaterThan(0)
  expect(await deps.db.read.$count(outbox, eq(outbox.job, 'finishErasure'))).toBe(many.length)
})
