import { execFile } from 'node:child_process'
import { closeSync, copyFileSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import SqliteDatabase from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkReadiness } from '../../api/operations/service/readiness-check.ts'
import { openDatabase } from '../../db/client.ts'
import { checkSqlite } from '../../db/engine/check-sqlite.ts'
import { isClosedCleanly } from '../../db/engine/sqlite-state.ts'
import { startService } from '../harness/harness.ts'
import { inherited } from '../harness/started.ts'

describe('an SQLite database file', { tags: 'sqlite' }, () => {
  const dir = mkdtempSync(join(tmpdir(), 'trustwright-check-'))
  const file = join(dir, 'trustwright.db')
  const open = (path: string) => openDatabase(`file:${path}`, { survives: 'crash' })
  const migrate = (path: string) =>
    promisify(execFile)(process.execPath, ['db/cli/migrate.ts'], {
      env: { ...inherited(), DATABASE_URL: `file:${path}` },
    })
  beforeAll(() => migrate(file))
  afterAll(() => rmSync(dir, { recursive: true, force: true }))

  /** As `cp -a DATA_DIR` leaves it, with what is noted of the original. */
  function copied(name: string): string {
    const copy = join(dir, name)
    copyFileSync(file, copy)
    copyFileSync(`${file}-state.json`, `${copy}-state.json`)
    return copy
  }

  test('is not checked again after this installation closed it', async () => {
    expect((await migrate(file)).stdout).toMatch(/^The database at \S+ has all migrations/)
    const [one, other] = [open(file), open(file)]
    await one.tx(async () => undefined)
    await one.close()
    expect(isClosedCleanly(file)).toBe(false) // the other one uses it
    await other.close()
    expect(await checkSqlite(file)).toEqual({ result: 'unneeded' })
    expect(statSync(`${file}-state.json`).mode & 0o777).toBe(0o600)
  })

  test('is checked once if it is a copy, was changed by another program or was not closed', async () => {
    const copy = copied('copy.db')
    expect((await migrate(copy)).stdout).toContain(
      'was not closed by this installation. PRAGMA quick_check found no damage.',
    )
    expect(await checkSqlite(copy)).toEqual({ result: 'unneeded' })
    const stranger = new SqliteDatabase(copy)
    stranger.exec('CREATE TABLE foreign_table (id)')
    stranger.close()
    expect(await checkSqlite(copy)).toEqual({ result: 'whole' })
    await open(copy).close()
    expect(await checkSqlite(copy)).toEqual({ result: 'unneeded' })
    const left = new SqliteDatabase(copy)
    left.exec('CREATE TABLE another (id)')
    expect(isClosedCleanly(copy)).toBe(false)
    left.close()
  })

  test('that is damaged is reported at the start and by readiness until it is repaired', async () => {
    const copy = copied('damaged.db')
    damage(copy)
    expect((await migrate(copy).catch((error) => error)).stderr).toMatch(
      /^The database at \S+ is damaged: .+\. Stop the service and restore a backup\.\n/,
    )
    await using service = await startService()
    const db = open(copy)
    const { problems } = await checkReadiness({ ...service.deps, db })
    expect(problems).toContainEqual(expect.stringMatching(/^The database is damaged: .+ restore a backup$/))
    await db.close()
    expect(isClosedCleanly(copy)).toBe(false)
    copyFileSync(file, copy)
    expect(await checkSqlite(copy)).toEqual({ result: 'whole' })
    expect(open(copy).findDamage()).toBeUndefined()
  })

  test('whose check takes too long is reported, and checked at the next start', async () => {
    const copy = copied('slow.db')
    expect(await checkSqlite(copy, 1)).toEqual({ result: 'unfinished', reason: 'it took longer than 0.001 s' })
    expect(await checkSqlite(copy)).toEqual({ result: 'whole' })
  })

  /** The first page of one table. */
  function damage(path: string): void {
    const database = new SqliteDatabase(path, { readonly: true })
    const size = Number(database.pragma('page_size', { simple: true }))
    const root = database.prepare<[], number>("SELECT rootpage FROM sqlite_schema WHERE name = 'users'").pluck().get()
    database.close()
    const descriptor = openSync(path, 'r+')
    writeSync(descriptor, Buffer.alloc(size, 0x55), 0, size, size * (root! - 1))
    closeSync(descriptor)
  }
})
