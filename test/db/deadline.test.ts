import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { outbox } from '../../db/tables/outbox.ts'
import { createDeadline } from '../../shared/deadline.ts'
import { findProblem } from '../../shared/errors/errors.ts'
import { newId } from '../../shared/ids.ts'
import { type OpenDatabase, openNewDatabase } from '../harness/database.ts'

let open: OpenDatabase
beforeAll(async () => {
  open = await openNewDatabase()
})
afterAll(() => open.drop())
// Deadlines are judged by `performance.now()`, which the tests move: a slow machine changes nothing.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const at = new Date()
const newJob = () => ({ id: newId(), job: 'none', payload: {}, priority: 0, createdAt: at, takenUntil: at })
const rows = () => open.db.read.$count(outbox)

test('a transaction that is not committed at its deadline leaves nothing', async () => {
  const deadline = createDeadline(100)
  const before = await rows()
  const late = open.db.until(deadline).tx(async (tx) => {
    await tx.insert(outbox).values(newJob())
    vi.advanceTimersByTime(150)
  })
  await expect(late).rejects.toMatchObject({ problem: 'service_unavailable' })
  expect(await rows()).toBe(before)
})

test('no statement runs after the deadline, except a rollback', async () => {
  const deadline = createDeadline(50)
  const bounded = open.db.until(deadline)
  const before = await rows()
  await bounded.tx((tx) => tx.insert(outbox).values(newJob()))
  vi.advanceTimersByTime(60)
  const insert = () => bounded.tx((tx) => tx.insert(outbox).values(newJob()))
  expect(findProblem(await insert().catch((error) => error))).toMatchObject({ problem: 'service_unavailable' })
  await expect(bounded.txAtOnce((tx) => tx.insert(outbox).values(newJob()))).rejects.toMatchObject({
    problem: 'service_unavailable',
  })
  expect(await rows()).toBe(before + 1)
  await bounded.withoutDeadline.tx((tx) => tx.insert(outbox).values(newJob()))
  expect(await rows()).toBe(before + 2)
})
