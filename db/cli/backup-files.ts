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
import { readDataLocations } from '../../shared/config.ts'
import { keyFiles } from '../../shared/key-files.ts'

/** In a backup, whatever it is called where the service runs. */
export const databaseFile = 'trustwright.db'

/** Of an installation: secrets, and what is known of its first tenants. Each is there or not, and then is kept elsewhere. */
export const smallFiles = [...Object.values(keyFiles), 'demo.json', 'identity-provider.json']

export interface BackupPaths {
  dataDir: string
  /** The path of the SQLite database. */
  database: string
}

/** Throws what to do instead where the database is PostgreSQL, which has its own ways. */
export function sqliteBackupPaths(env: NodeJS.ProcessEnv): BackupPaths {
  const { dataDir, databaseUrl } = readDataLocations(env)
  if (databaseUrl.startsWith('file:')) return { dataDir, database: databaseUrl.slice('file:'.length) }
  throw new Error(
    'This is for SQLite. For PostgreSQL keep KEY_ENCRYPTION_KEY and SERVICE_SECRET first, then take a pg_dump; docs/operations.md says how.',
  )
}

/** Throws unless every page of the database is as SQLite wrote it. */
export function checkDatabase(file: string): void {
  const database = new SqliteDatabase(file, { fileMustExist: true })
  try {
    // One file alone, without a log beside it.
    database.pragma('journal_mode = DELETE')
    const found = database.pragma('integrity_check', { simple: true })
    if (found !== 'ok') throw new Error(`${file} is damaged: ${found}`)
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
 * Fills a folder that is empty or missing, which may be the root of a volume: what `fill` puts into its draft appears once all
 * of it is on disk, the database last. Without a database it is no backup, and nothing that a service starts with.
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

/** For its owner's eyes alone; nothing where there is none. */
export function copySecret(from: string, to: string): void {
  if (!existsSync(from)) return
  copyFileSync(from, to)
  chmodSync(to, 0o600)
}
