import { existsSync } from 'node:fs'
import { Misconfigured } from '../../shared/process/dependency.ts'
import { openPostgresSide } from '../copy/postgres-side.ts'
import { requireThisVersion } from '../copy/require-version.ts'
import type { Side } from '../copy/side.ts'
import { openSqliteSide } from '../copy/sqlite-side.ts'
import { unfinishedCopy } from '../engine/unfinished-copy.ts'

/** Opens a snapshot of the database of the source, whose service can run. Throws Misconfigured for a database of another version. */
export function openExportSide(url: string): Promise<Side> {
  return checked(isPostgres(url) ? openPostgresSide(url, 'snapshot') : openSqliteSide(existingFile(url), 'snapshot'))
}

/**
 * Opens the database of the target. With PostgreSQL its service can run. A transaction in SQLite would keep all other processes from
 * writing, so that its service must be stopped. Throws Misconfigured if it runs, and for a database of another version.
 */
export function openImportSide(url: string): Promise<Side> {
  return checked(isPostgres(url) ? openPostgresSide(url, 'shared') : openSqliteSide(existingFile(url)))
}

const isPostgres = (url: string): boolean => url.startsWith('postgres')

function existingFile(url: string): string {
  const path = url.slice('file:'.length)
  if (existsSync(path)) return url
  throw new Misconfigured(
    `There is no database at ${path}. Check DATABASE_URL and DATA_DIR, and start the service once.`,
  )
}

async function checked(opened: Side | Promise<Side>): Promise<Side> {
  const side = await opened
  try {
    if (await side.isUnfinishedCopy()) throw new Misconfigured(unfinishedCopy(side.address))
    await requireThisVersion(side)
    return side
  } catch (error) {
    await side.close()
    throw error
  }
}
