import { chmodSync, existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { keyFiles } from '../../shared/settings/key-files.ts'
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
 * Copies the database of a service that may be running, and then its small files, to a new or empty folder. The copy has
 * everything that was committed before. The files appear in the folder only when all are complete.
 */
export async function backUp({ dataDir, database }: BackupPaths, target: string): Promise<void> {
  if (!existsSync(database)) throw new Error(`There is no database at ${database}. Check DATA_DIR and DATABASE_URL.`)
  if (!isEmpty(target)) throw new Error(`${target} is not empty.`)
  await fillFolder(target, async (draft) => {
    await copyDatabase(database, join(draft, databaseFile))
    // The files follow the database, because a key is created before the first row that needs it.
    for (const name of smallFiles) copySecret(join(dataDir, name), join(draft, name))
  })
}

async function copyDatabase(from: string, to: string): Promise<void> {
  const source = new SqliteDatabase(from, { readonly: true, fileMustExist: true, timeout: 10_000 })
  try {
    // All pages in one step, because a write of another process between two steps restarts the copy. The number is not that
    // of the pages, because the database can have more when the step begins.
    await source.backup(to, { progress: () => 0x7fff_ffff })
  } finally {
    source.close()
  }
  chmodSync(to, 0o600)
  checkDatabase(to)
}

if (import.meta.main) {
  const [target] = process.argv.slice(2)
  try {
    if (!target) throw new Error('Name the folder: npm run backup -- FOLDER')
    const places = sqliteBackupPaths(process.env)
    await backUp(places, resolve(target))
    console.log(`The backup is in ${resolve(target)}. It contains secrets.`)
    for (const [variable, name] of Object.entries(keyFiles)) {
      if (!existsSync(join(places.dataDir, name)))
        console.log(`${variable} is not in it. Store its value from the environment.`)
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
