import '../../shared/quick-resolve.ts'
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { systemClock } from '../../shared/clock.ts'
import { exitIfMisconfigured, requireReachable } from '../../shared/process/dependency.ts'
import { readDataLocations } from '../../shared/settings/config.ts'
import { parseDate } from './erasure-list.ts'

/**
 * `node db/cli/export-erasures.ts --since DATE`: prints the erasures of all tenants since the date, from the database of `DATABASE_URL`. Each
 * line has the ids of the user and of the receipt. The last line has the period and the number of the erasures. `--erase-since` of
 * `restore.ts` and `restored.ts` reads this list.
 */
const { databaseUrl } = exitIfMisconfigured(() => readDataLocations(process.env))
const since = readSince()
const file = databaseUrl.startsWith('file:') && databaseUrl.slice('file:'.length)
if (file && !existsSync(file)) exit(`There is no database at ${file}.`)

const { openDatabase } = await import('../client.ts')
const { migratedDatabase } = await import('../engine/dependency.ts')
const { readErasures } = await import('./read-erasures.ts')

const until = systemClock.now()
const db = exitIfMisconfigured(() => openDatabase(databaseUrl, { survives: 'crash' }))
await requireReachable(migratedDatabase(db, databaseUrl))
try {
  let erasures = 0
  for await (const erasure of readErasures(db.read, since)) {
    console.log(JSON.stringify(erasure))
    erasures++
  }
  console.log(JSON.stringify({ since: since.toISOString(), until: until.toISOString(), erasures }))
} finally {
  await db.close()
}

function readSince(): Date {
  try {
    const { values } = parseArgs({ options: { since: { type: 'string' } } })
    if (values.since === undefined)
      return exit('Name the date: npm run --silent erasures:export -- --since DATE > erasures.jsonl')
    return parseDate('--since', values.since)
  } catch (error) {
    return exit(error instanceof Error ? error.message : String(error))
  }
}

function exit(message: string): never {
  console.error(message)
  process.exit(1)
}
