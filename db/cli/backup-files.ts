import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { readDataLocations } from '../../shared/settings/config.ts'
import { keyFiles } from '../../shared/settings/key-files.ts'

/** The name of the database in a backup. */
export const databaseFile = 'trustwright.db'

/** The secrets of an installation and the facts of its first tenants. A missing file is stored elsewhere. */
export const smallFiles = [...Object.values(keyFiles), 'demo.json', 'identity-provider.json']

export interface BackupPaths {
  dataDir: string
  /** The path of the SQLite database. */
  database: string
}

/** Returns the paths of a SQLite installation. Throws for PostgreSQL, which has its own tools. */
export function sqliteBackupPaths(env: NodeJS.ProcessEnv): BackupPaths {
  const { dataDir, databaseUrl } = readDataLocations(env)
  if (databaseUrl.startsWith('file:')) return { dataDir, database: databaseUrl.slice('file:'.length) }
  throw new Error(
    'This command is for SQLite. For PostgreSQL, store KEY_ENCRYPTION_KEY and SERVICE_SECRET first, then run pg_dump (docs/backup-and-audit.md#backup-and-restore-on-postgresql).',
  )
}

/** Throws if the database is damaged. */
export function checkDatabase(file: string): void {
  const database = new SqliteDatabase(file, { fileMustExist: true })
  try {
    // Leaves one file without a log.
    database.pragma('journal_mode = DELETE')
    const report = database.pragma('integrity_check', { simple: true })
    if (report !== 'ok') throw new Error(`${file} is damaged: ${report}`)
  } finally {
    database.close()
  }
}

/** Writes the file again without the remains of deleted rows, which SQLite leaves when it moves rows between pages. */
export function vacuumDatabase(file: string): void {
  const database = new SqliteDatabase(file, { fileMustExist: true })
  try {
    database.pragma('journal_mode = DELETE')
    database.exec('VACUUM')
  } finally {
    database.close()
  }
}

export function isEmpty(dir: string): boolean {
  try {
    return readdirSync(dir).length === 0
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return true
    throw error
  }
}

/**
 * Fills an empty or missing folder, which may be the root of a volume. `fill` writes to a draft. The files are moved when
 * all of them are on disk, the database last, because a folder without a database is not a valid backup.
 */
export async function fillFolder(dir: string, fill: (draft: string) => Promise<void>): Promise<void> {
  const draft = join(dir, '.partial')
  mkdirSync(draft, { recursive: true, mode: 0o700 })
  try {
    await fill(draft)
    syncFolder(draft)
    const names = readdirSync(draft).sort((a, b) => Number(a === databaseFile) - Number(b === databaseFile))
    for (const name of names) renameSync(join(draft, name), join(dir, name))
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  syncFolder(dir)
}

function syncFolder(dir: string): void {
  for (const path of [...readdirSync(dir).map((name) => join(dir, name)), dir]) {
    const descriptor = openSync(path, 'r')
    fsyncSync(descriptor)
    closeSync(descriptor)
  }
}

/** Copies a file with access for its owner only. Does nothing if the file does not exist. */
export function copySecret(from: string, to: string): void {
  if (!existsSync(from)) return
  copyFileSync(from, to)
  chmodSync(to, 0o600)
}
