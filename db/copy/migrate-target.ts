import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Misconfigured } from '../../shared/process/dependency.ts'

const program = fileURLToPath(new URL('../cli/migrate.ts', import.meta.url))

/** Creates the tables of a new database, in a process of its own, because the tables of a process have the dialect of its DATABASE_URL. */
export async function migrateTarget(url: string): Promise<void> {
  const { DATABASE_URL_FILE, ...env } = process.env
  try {
    await promisify(execFile)(process.execPath, [program], { env: { ...env, DATABASE_URL: url } })
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    throw new Misconfigured(output || 'The tables of the target could not be created.', { cause: error })
  }
}
