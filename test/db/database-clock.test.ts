import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkDatabaseClock } from '../../api/cli/trustwright/doctor/go-live/database-clock.ts'
import { dialect } from '../../db/columns.ts'
import { newDatabase } from '../harness/database.ts'

test('a clock of PostgreSQL that differs from that of this machine is an error', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'trustwright-clock-'))
  const { url, drop } = await newDatabase(dir)
  try {
    const [equal, early] = await Promise.all([
      checkDatabaseClock(url, () => Date.now()),
      checkDatabaseClock(url, () => Date.now() - 60_000),
    ])
    expect(equal.status).toBe('ok')
    if (dialect === 'postgres')
      expect(early).toEqual({
        status: 'error',
        message: expect.stringMatching(/^The clock of the database is (59|60|61) s ahead of this clock/),
      })
  } finally {
    await drop()
    rmSync(dir, { recursive: true, force: true })
  }
})
