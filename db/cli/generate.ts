import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hashesOfMigrations, migrationHashesFile } from '../engine/migration-hashes.ts'

/**
 * `npm run db:generate -- --name add_something`: writes the next migration for both dialects from the same tables, and
 * adds its hash to landed.json. If you edit a new migration by hand, delete its lines from landed.json and run this
 * command again.
 */
for (const [dialect, url] of [
  ['sqlite', 'file:unused'],
  ['postgres', 'postgres://unused'],
]) {
  const { status } = spawnSync(
    'drizzle-kit',
    ['generate', '--config', 'db/cli/drizzle.config.ts', ...process.argv.slice(2)],
    {
      stdio: 'inherit',
      env: { ...process.env, DATABASE_URL: url },
    },
  )
  if (status !== 0) process.exit(status ?? 1)
  keepNewestSnapshot(`db/migrations/${dialect}/meta`)
}

const landed: Record<string, string> = existsSync(migrationHashesFile)
  ? JSON.parse(readFileSync(migrationHashesFile, 'utf8'))
  : {}
const hashes = { ...hashesOfMigrations(), ...landed }
writeFileSync(migrationHashesFile, `${JSON.stringify(hashes, null, 2)}\n`)

/** Removes the older snapshots. drizzle-kit compares the tables with the newest one only. */
function keepNewestSnapshot(folder: string): void {
  const snapshots = globSync(`${folder}/*_snapshot.json`).sort()
  for (const file of snapshots.slice(0, -1)) rmSync(file)
}
