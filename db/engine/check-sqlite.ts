import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isClosedCleanly, noteChecked } from './sqlite-state.ts'

const script = fileURLToPath(new URL('./quick-check.ts', import.meta.url))
const defaultWithinMs = 60_000
/** Of what it finds, in characters. */
const mostTold = 300

export type SqliteCheckResult = { result: 'unneeded' | 'whole' } | { result: 'damaged' | 'unfinished'; reason: string }

/**
 * Checks a SQLite file that this installation did not close: a copy, or the file of processes that were killed. Notes what it finds. A check
 * that takes longer than `withinMs` is given up, and done again at the next start that finds the file not closed.
 */
export async function checkSqlite(path: string, withinMs: number = defaultWithinMs): Promise<SqliteCheckResult> {
  if (isClosedCleanly(path)) return { result: 'unneeded' }
  const { found, failure } = await quickCheck(path, withinMs)
  if (found === undefined) return { result: 'unfinished', reason: failure }
  noteChecked(path, found === 'ok' ? undefined : found)
  return found === 'ok' ? { result: 'whole' } : { result: 'damaged', reason: found }
}

function quickCheck(path: string, timeout: number): Promise<{ found: string | undefined; failure: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, path], { timeout, killSignal: 'SIGKILL' }, (error, stdout) => {
      const failure = error?.killed ? `it took longer than ${timeout / 1000} s` : (error?.message ?? '')
      resolve({ found: error ? undefined : stdout.trim().slice(0, mostTold) || undefined, failure })
    })
  })
}
