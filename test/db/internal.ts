import { readFileSync } from 'node:fs'
import { test } from 'vitest'

/**
 * The engine uses undocumented behaviour of pg and Drizzle. Both versions are pinned. Each test checks one internal, and
 * its failure names the internal and the file that relies on it.
 */
export function internal(file: string, name: string, check: () => void | Promise<void>): void {
  test(`${name} (${file})`, async () => {
    try {
      await check()
    } catch (cause) {
      throw new Error(`${name} changed. ${file} relies on it.`, { cause })
    }
  })
}

/** The times of all migrations of a database, in milliseconds. */
export function migrationTimes(dialect: 'postgres' | 'sqlite'): number[] {
  const { entries } = JSON.parse(readFileSync(`db/migrations/${dialect}/meta/_journal.json`, 'utf8'))
  return entries.map(({ when }: { when: number }) => when)
}
