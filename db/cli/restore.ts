import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { compileCacheName } from '../../shared/compile-cache.ts'
import {
  type BackupPaths,
  checkDatabase,
  copySecret,
  databaseFile,
  fillFolder,
  isEmpty,
  smallFiles,
  sqliteBackupPaths,
} from './backup-files.ts'

/**
 * Restores a backup to the paths of an installation. Throws if the paths contain files, because a service may run there,
 * and jobs in its queues would refer to other rows.
 */
export async function restore({ dataDir, database }: BackupPaths, source: string): Promise<void> {
  if (!existsSync(join(source, databaseFile))) throw new Error(`There is no backup at ${source}.`)
  // A command-line tool may have left compiled code, which is not data.
  rmSync(join(dataDir, compileCacheName), { recursive: true, force: true })
  if (!isEmpty(dataDir)) throw new Error(`${dataDir} (DATA_DIR) is not empty: stop the service and move it away first.`)
  for (const file of [database, `${database}-wal`])
    if (existsSync(file))
      throw new Error(`${file} (DATABASE_URL) exists already: stop the service and move it away first.`)
  await fillFolder(dataDir, async (draft) => {
    for (const name of [databaseFile, ...smallFiles]) copySecret(join(source, name), join(draft, name))
    checkDatabase(join(draft, databaseFile))
    expectUnknown(join(draft, databaseFile))
  })
  const restored = join(dataDir, databaseFile)
  if (resolve(restored) === resolve(database)) return
  mkdirSync(dirname(database), { recursive: true })
  copySecret(restored, database)
  rmSync(restored)
}

/** Does the same as `node db/cli/restored.ts`. The database may be of an earlier version without status lists. */
function expectUnknown(file: string): void {
  const database = new SqliteDatabase(file, { fileMustExist: true })
  try {
    const lists = database.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'status_lists'`)
    if (!lists.get()) return
    database.exec('UPDATE status_lists SET taken = size')
    database.exec(`UPDATE keys SET published_until = NULL WHERE purpose = 'did'`)
  } finally {
    database.close()
  }
}

if (import.meta.main) {
  const [source] = process.argv.slice(2)
  try {
    if (!source) throw new Error('Name the folder: npm run restore -- FOLDER')
    const places = sqliteBackupPaths(process.env)
    await restore(places, resolve(source))
    console.log(`The backup is in ${resolve(places.dataDir)}: \`npm start\`.`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
