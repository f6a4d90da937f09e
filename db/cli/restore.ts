import '../../shared/quick-resolve.ts'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import SqliteDatabase from 'better-sqlite3'
import { compileCacheName } from '../../shared/process/compile-cache.ts'
import { queueTables } from '../queue/queue-tables.ts'
import {
  type BackupPaths,
  checkDatabase,
  copySecret,
  databaseFile,
  fillFolder,
  isEmpty,
  smallFiles,
  sqliteBackupPaths,
  vacuumDatabase,
} from './backup-files.ts'
import { type ErasureList, eraseAdvice, eraseOptions, readErasureList } from './erasure-list.ts'

/**
 * Restores a backup to the paths of an installation, without the users of `list`. Throws if the paths contain files, because a service may
 * run there, and jobs in its queues would refer to other rows. Returns a sentence about the erasures for the operator.
 */
async function restore({ dataDir, database }: BackupPaths, source: string, list?: ErasureList): Promise<string> {
  if (!existsSync(join(source, databaseFile))) throw new Error(`There is no backup at ${source}.`)
  // A command-line tool may have left compiled code, which is not data.
  rmSync(join(dataDir, compileCacheName), { recursive: true, force: true })
  if (!isEmpty(dataDir)) throw new Error(`${dataDir} (DATA_DIR) is not empty: stop the service and move it away first.`)
  for (const file of [database, `${database}-wal`])
    if (existsSync(file))
      throw new Error(`${file} (DATABASE_URL) exists already: stop the service and move it away first.`)
  let result = eraseAdvice
  await fillFolder(dataDir, async (draft) => {
    for (const name of [databaseFile, ...smallFiles]) copySecret(join(source, name), join(draft, name))
    const file = join(draft, databaseFile)
    checkDatabase(file)
    expectUnknown(file)
    if (list) result = await erase(file, list)
  })
  const restored = join(dataDir, databaseFile)
  if (resolve(restored) === resolve(database)) return result
  mkdirSync(dirname(database), { recursive: true })
  copySecret(restored, database)
  rmSync(restored)
  return result
}

/** Erases the users of the list in the file of the draft. So the data of these users never appear in the installation. */
async function erase(file: string, list: ErasureList): Promise<string> {
  const { eraseInFile } = await import('./erase-again.ts')
  const result = await eraseInFile(file, list)
  vacuumDatabase(file)
  return result
}

/** Does the same as `node db/cli/restored.ts`. The database may be of an earlier version without status lists or queues. */
function expectUnknown(file: string): void {
  const database = new SqliteDatabase(file, { fileMustExist: true })
  const table = database.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`)
  try {
    for (const name of Object.keys(queueTables)) if (table.get(name)) database.exec(`DELETE FROM ${name}`)
    if (!table.get('status_lists')) return
    database.exec('UPDATE status_lists SET taken = size')
    database.exec(`UPDATE keys SET published_until = NULL WHERE purpose = 'did'`)
  } finally {
    database.close()
  }
}

if (import.meta.main) {
  try {
    const { values, positionals } = parseArgs({ options: eraseOptions, allowPositionals: true })
    const [source] = positionals
    if (!source || positionals.length > 1)
      throw new Error('Name the folder: npm run restore -- FOLDER [--erase-since DATE --erasures FILE]')
    const places = sqliteBackupPaths(process.env)
    const result = await restore(places, resolve(source), readErasureList(values))
    console.log(`The backup is in ${resolve(places.dataDir)}. ${result} Then run \`npm start\`.`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
