import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { hashesOfMigrations, migrationHashesFile } from '../../db/engine/migration-hashes.ts'

const landed: Record<string, string> = JSON.parse(readFileSync(migrationHashesFile, 'utf8'))

test('a released migration does not change, because databases have run it', () => {
  expect(hashesOfMigrations()).toEqual(landed)
  expect(landed).toMatchObject({
    'before-baseline/postgres/0000_foundation.sql': '22220e0369f8d68cb70ca4f8e815698d6f527dd02d759723ae840f374497db45',
    'before-baseline/sqlite/0000_foundation.sql': '8cc4ce9cd61baf4a256156fd6c19189d631e99bb24a64d43245758cb60bf50fd',
  })
})

test.each(['sqlite', 'postgres', 'before-baseline/sqlite', 'before-baseline/postgres'])(
  'the migrations of %s run completely and in the order of their numbers',
  (dialect) => {
    const folder = `db/migrations/${dialect}`
    const { entries } = JSON.parse(readFileSync(`${folder}/meta/_journal.json`, 'utf8'))
    const names = entries.map(({ tag }: { tag: string }) => `${tag}.sql`)
    expect(names).toEqual(
      readdirSync(folder)
        .filter((name) => name.endsWith('.sql'))
        .sort(),
    )
    // A database runs what is newer than what it has run last: one with an older time would never run where the others have.
    const times = entries.map(({ when }: { when: number }) => when)
    expect(times).toEqual([...new Set<number>(times)].sort((a, b) => a - b))
  },
)

test('both dialects have the same migrations', () => {
  const [sqlite, postgres] = ['sqlite', 'postgres'].map((dialect) =>
    readdirSync(`db/migrations/${dialect}`).filter((name) => name.endsWith('.sql')),
  )
  expect(sqlite).toEqual(postgres)
})

test.each(['sqlite', 'postgres'])('%s has one snapshot of its tables, that of the newest migration', (dialect) => {
  const folder = `db/migrations/${dialect}`
  const newest = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .at(-1)
  const snapshots = readdirSync(`${folder}/meta`).filter((name) => name.endsWith('_snapshot.json'))
  expect(snapshots).toEqual([`${newest?.slice(0, 4)}_snapshot.json`])
})
