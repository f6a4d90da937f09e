import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../db/client.ts'
import { migrateDatabase } from '../../db/engine/migrate-database.ts'
import { tenantHosts } from '../../db/tables/tenancy/tenant-hosts.ts'

describe('the files of an SQLite database', { tags: 'sqlite' }, () => {
  const dir = mkdtempSync(join(tmpdir(), 'trustwright-file-'))
  afterAll(() => rmSync(dir, { recursive: true, force: true }))
  const modesOf = (file: string) =>
    ['', '-wal', '-shm'].map((suffix) => (statSync(file + suffix).mode & 0o777).toString(8))

  /** Its modes while a process has it open. */
  async function openModes(file: string): Promise<string[]> {
    const db = openDatabase(`file:${file}`, { survives: 'crash' })
    await db.tx((tx) => tx.delete(tenantHosts)).catch(() => undefined)
    const modes = modesOf(file)
    await db.close()
    return modes
  }

  test('are readable by their owner only, whether a process or a migration creates them', async () => {
    const opened = join(dir, 'opened', 'trustwright.db')
    expect(await openModes(opened)).toEqual(['600', '600', '600'])
    const migrated = join(dir, 'migrated', 'trustwright.db')
    await migrateDatabase(`file:${migrated}`)
    expect(await openModes(migrated)).toEqual(['600', '600', '600'])
  })

  test('keep the mode that an operator set', async () => {
    const file = join(dir, 'shared.db')
    writeFileSync(file, '')
    chmodSync(file, 0o640)
    await migrateDatabase(`file:${file}`)
    expect(await openModes(file)).toEqual(['640', '640', '640'])
  })
})
