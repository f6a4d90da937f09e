import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../db/client.ts'
import { dialect } from '../../db/columns.ts'
import { insertEntries, openList, reserveIndexes } from '../../db/repos/status/lists.ts'
import { statusLists } from '../../db/tables/status/lists.ts'
import { publishedLists } from '../../db/tables/status/published-lists.ts'
import { newId } from '../../shared/ids.ts'
import { type OpenDatabase, openNewDatabase } from '../harness/database.ts'
import { versionOf } from '../harness/revocable.ts'
import { inherited } from '../harness/started.ts'

const at = new Date('2026-01-01T00:00:00.000Z')
const tenantId = 't'
const kind = 'compact'

let database: OpenDatabase
let db: Database
beforeAll(async () => {
  database = await openNewDatabase()
  ;({ db } = database)
})
afterAll(() => database.drop())

function listOf(number: number, size: number) {
  const ofKind = { kind, series: '', caId: null, configurationId: null, format: null } as const
  return { id: newId(), tenantId, ...ofKind, number, size, taken: 0, permutationKey: 'k', createdAt: at }
}

function publishedOf(listId: string) {
  return { listId, tenantId, version: 1, ...versionOf(Buffer.from('list'), at) }
}

async function open(number: number, size: number): Promise<string> {
  const list = listOf(number, size)
  await db.tx((tx) => openList(tx, list, publishedOf(list.id)))
  return list.id
}

test('one of two concurrent requests opens the next list, which has an empty version', async () => {
  const ids = await Promise.all([open(1, 1_000), open(1, 1_000)])
  const lists = await db.read.select().from(statusLists)
  const published = await db.read.select().from(publishedLists)
  expect(lists).toHaveLength(1)
  expect(ids).toContain(lists[0]?.id)
  expect(published.map(({ listId }) => listId)).toEqual([lists[0]?.id])
})

test('concurrent allocations get different indexes without gaps, until the list is full', async () => {
  const reserved = await Promise.all(
    Array.from({ length: 40 }, () => db.tx((tx) => reserveIndexes(tx, tenantId, { kind, series: '' }, 30))),
  )
  const blocks = reserved.flatMap((each) => (each && 'list' in each ? [each] : [])).sort((a, b) => a.from - b.from)
  // 33 of 30, and one of what is left.
  expect(blocks).toHaveLength(34)
  expect(blocks[0]?.from).toBe(0)
  for (const [position, { to }] of blocks.entries()) expect(to).toBe(blocks[position + 1]?.from ?? 1_000)
  expect(reserved.filter((each) => each && 'full' in each)).toEqual(Array(6).fill({ full: 1 }))
})

test('a tenant without a list has no indexes', async () => {
  expect(await db.tx((tx) => reserveIndexes(tx, 'another', { kind, series: '' }, 1))).toBeUndefined()
})

test('in a restored database no list allocates an index, and new lists are opened', async () => {
  const [before] = await db.read.select().from(statusLists)
  await db.tx((tx) => tx.update(statusLists).set({ taken: 64 }))
  const restored = (url: string) =>
    promisify(execFile)(process.execPath, ['db/cli/restored.ts'], {
      env: { ...inherited(), DATABASE_URL: url, DATA_DIR: database.dir },
    })
  expect((await restored(database.url)).stdout).toMatch(/^1 status lists/)
  expect((await restored(database.url)).stdout).toMatch(/^0 status lists/)
  const nowhere = join(database.dir, 'nowhere.db')
  if (dialect === 'sqlite') {
    await expect(restored(`file:${nowhere}`)).rejects.toThrow('There is no database')
    expect(existsSync(nowhere)).toBe(false)
  }
  expect(await db.tx((tx) => reserveIndexes(tx, tenantId, { kind, series: '' }, 30))).toEqual({ full: before?.number })
  const next = await open((before?.number ?? 0) + 1, 1_000)
  expect(await db.tx((tx) => reserveIndexes(tx, tenantId, { kind, series: '' }, 30))).toMatchObject({
    list: { id: next },
    from: 0,
  })
})

test('an index belongs to one credential', async () => {
  const entry = { tenantId, listId: newId(), position: 7, status: 'valid' } as const
  await db.tx((tx) => insertEntries(tx, [{ ...entry, credentialId: newId() }]))
  await expect(db.tx((tx) => insertEntries(tx, [{ ...entry, credentialId: newId() }]))).rejects.toThrow()
})
