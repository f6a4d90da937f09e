import { spawnSync } from 'node:child_process'

/** Writes the next migration for both dialects from the same tables: `npm run db:generate -- --name add_something`. */
for (const url of ['file:unused', 'postgres://unused']) {
  const { status } = spawnSync(
    'drizzle-kit',
    ['generate', '--config', 'db/drizzle.config.ts', ...process.argv.slice(2)],
    {
      stdio: 'inherit',
      env: { ...process.env, DATABASE_URL: url },
    },
  )
  if (status !== 0) process.exit(status ?? 1)
}
