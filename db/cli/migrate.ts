import '../../shared/quick-resolve.ts'
import { existsSync, statSync } from 'node:fs'
import { createLog, withoutParameters } from '../../shared/log/log.ts'
import { useCompileCache } from '../../shared/process/compile-cache.ts'
import {
  addressOf,
  exitIfMisconfigured,
  exitOnStartupError,
  Misconfigured,
  reasonOf,
  waitUntilReachable,
} from '../../shared/process/dependency.ts'
import { readMigrationConfig } from '../../shared/settings/config.ts'
import { checkSqlite } from '../engine/check-sqlite.ts'
import type { MigrationStatus } from '../engine/migrated.ts'
import { recordCheck, recordCleanClose } from '../engine/sqlite-state.ts'

/** `node db/cli/migrate.ts`: migrates the database of `DATABASE_URL` to the schema of this version. */
const { databaseUrl, dataDir, logLevel, production } = exitIfMisconfigured(() => readMigrationConfig(process.env))
useCompileCache(dataDir)
const { openDatabase } = await import('../client.ts')
const { databaseDependency } = await import('../engine/dependency.ts')
const { findMigrationStatus } = await import('../engine/migrated.ts')
const { migrateDatabase } = await import('../engine/migrate-database.ts')

const log = createLog({ process: 'migrate', level: logLevel, pretty: !production })
const address = addressOf(databaseUrl)
const file = databaseUrl.startsWith('file:') ? databaseUrl.slice('file:'.length) : undefined
const isNew = file !== undefined && !(existsSync(file) && statSync(file).size > 0)
if (file !== undefined && !isNew) await check(file)
const before = await readMigrationStatus(databaseUrl)
const { length: missing } = before.missing
if (missing > 0)
  console.log(`The database at ${address} lacks migrations of this version (${missing}). They are run now.`)
await migrateDatabase(databaseUrl, log).catch((error) => {
  const reason = error instanceof Misconfigured ? error.message : withoutParameters(reasonOf(error))
  exitOnStartupError(
    log,
    new Misconfigured(`The database at ${address} could not be migrated and was not changed: ${reason}`),
  )
})
if (isNew) recordCheck(file, undefined)
if (file !== undefined) recordCleanClose(file)
console.log(`The database at ${address} ${summaryOf(before)}`)

/** Reports damage. The migration continues, because an operator decides whether to restore a backup. */
async function check(path: string): Promise<void> {
  const checked = await checkSqlite(path)
  if (checked.result === 'whole')
    console.log(`The database at ${address} was not closed by this installation. PRAGMA quick_check found no damage.`)
  if (checked.result === 'damaged')
    console.error(`The database at ${address} is damaged: ${checked.reason}. Stop the service and restore a backup.`)
  if (checked.result === 'unfinished')
    console.error(`The database at ${address} could not be checked for damage: ${checked.reason}.`)
}

/** Waits until the database is reachable, because it may start later than this process. */
async function readMigrationStatus(url: string): Promise<MigrationStatus> {
  const db = exitIfMisconfigured(() => openDatabase(url, { survives: 'powerLoss' }))
  await waitUntilReachable(databaseDependency(db, url), log).catch((error) => exitOnStartupError(log, error))
  const status = await findMigrationStatus(db)
  await db.close()
  return status
}

/** Describes what the migration did to a database in this state. */
function summaryOf({ missing, later }: MigrationStatus): string {
  const done = missing.length > 0 ? `Run now: ${missing.join(', ')}.` : 'Nothing had to be done.'
  const more = later > 0 ? ` It also has migrations of a later version (${later}), which were not changed.` : ''
  return `has all migrations of this version. ${done}${more}`
}
