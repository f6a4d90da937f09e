import { expect, onTestFinished, test, vi } from 'vitest'
import { openPool } from '../../db/engine/postgres-pool.ts'
import { openNewDatabase } from '../harness/database.ts'

test('a connection stays open between the searches that run each minute', { tags: 'postgres' }, async () => {
  const { url, drop } = await openNewDatabase()
  onTestFinished(drop)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const pool = openPool(url, { readOnly: true })
  onTestFinished(() => pool.end())
  const client = await pool.connect()
  client.release()
  vi.advanceTimersByTime(61_000)
  expect(pool.status()).toMatchObject({ open: 1, idle: 1 })
})

test('after a query without an answer, no connection of before is used again', { tags: 'postgres' }, async () => {
  const { url, drop } = await openNewDatabase()
  onTestFinished(drop)
  const pool = openPool(url, { readOnly: true })
  onTestFinished(() => pool.end())
  const connectAll = () => Promise.all(Array.from({ length: 3 }, () => pool.connect()))
  async function useAll(): Promise<number[]> {
    const clients = await connectAll()
    const pids = await Promise.all(clients.map((client) => client.query('SELECT pg_backend_pid() AS pid')))
    for (const client of clients) client.release()
    return pids.map(({ rows }) => rows[0].pid)
  }
  const first = new Set(await useAll())
  expect(new Set(await useAll())).toEqual(first)
  pool.renewAll()
  const renewed = await useAll()
  expect(renewed.filter((pid) => first.has(pid))).toEqual([])
  expect(new Set(await useAll())).toEqual(new Set(renewed))
})
