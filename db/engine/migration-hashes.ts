import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../migrations', import.meta.url))

/**
 * The SHA-256 of each migration that was released, by its path below `db/migrations`. Entries are only added
 * (test/db/migrations.test.ts).
 */
export const migrationHashesFile = `${folder}/landed.json`

/** Returns the same hashes for the files that exist. */
export function hashesOfMigrations(): Record<string, string> {
  const paths = globSync('**/*.sql', { cwd: folder }).sort()
  return Object.fromEntries(
    paths.map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(`${folder}/${path}`))
        .digest('hex'),
    ]),
  )
}
