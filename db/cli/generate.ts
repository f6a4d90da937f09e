import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { hashesOfMigrations, landedFile } from '../engine/migration-hashes.ts'

/**
 * `npm run db:generate -- --name add_something`: writes the next migration for both dialects from the same tables, and
 * adds its hash to landed.json. If you edit a new migration by hand, delete its lines from landed.json and run this
 * command again.
 */
for (const url of ['file:unused', 'postgres://unused']) {
  const { status } = spawnSync(
    'drizzle-kit',
    ['generate', '--config', 'db/cli/drizzle.config.ts', ...process.argv.slice(2)],
    {
      stdio: 'inherit',
      env: { ...process.env, DATABASE_URL: url },
    },
  )
  if (status !== 0) process.exit(status ?? 1)
}

const landed: Record<string, string> = existsSync(landedFile) ? JSON.parse(readFileSync(landedFile, 'utf8')) : {}
const hashes = { ...hashesOfMigrations(), ...landed }
writeFileSync(landedFile, `${JSON.stringify(hashes, null, 2)}\n`)
