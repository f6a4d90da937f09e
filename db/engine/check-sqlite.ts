import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isClosedCleanly, recordCheck } from './sqlite-state.ts'

const script = fileURLToPath(new URL('./print-damage.ts', import.meta.url))
const defaultWithinMs = 60_000
/** The maximum length of the reported damage. */
const maxReasonLength = 300

export type SqliteCheckResult = { result: 'unneeded' | 'whole' } | { result: 'damaged' | 'unfinished'; reason: string }

/**
 * Checks a SQLite file that this installation did not close: a copy, or the file of killed processes. Stores the result.
 * A check that takes longer than `withinMs` is stopped. The next start repeats it if the file is not closed.
 */
export async function checkSqlite(path: string, withinMs: number = defaultWithinMs): Promise<SqliteCheckResult> {
  if (isClosedCleanly(path)) return { result: 'unneeded' }
  const { report, failure } = await readDamage(path, 'quick_check', withinMs)
  if (report === undefined) return { result: 'unfinished', reason: failure }
  recordCheck(path, report === 'ok' ? undefined : report)
  return report === 'ok' ? { result: 'whole' } : { result: 'damaged', reason: report }
}

/**
 * Returns what SQLite finds wrong in a file: `ok` for a file without damage. `integrity_check` also compares indexes with their tables,
 * which takes longer. Without a report, `failure` says why.
 */
export function readDamage(
  path: string,
  check: 'quick_check' | 'integrity_check',
  timeout: number,
): Promise<{ report: string | undefined; failure: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, path, check], { timeout, killSignal: 'SIGKILL' }, (error, stdout) => {
      const failure = error?.killed ? `it took longer than ${timeout / 1000} s` : (error?.message ?? '')
      resolve({ report: error ? undefined : stdout.trim().slice(0, maxReasonLength) || undefined, failure })
    })
  })
}
