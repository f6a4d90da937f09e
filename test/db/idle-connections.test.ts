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
