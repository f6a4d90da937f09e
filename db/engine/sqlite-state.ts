import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

/**
 * The state of a SQLite file in this installation, in `<database>-state.json` beside it. `dev` and `ino` distinguish
 * the file from a copy that was made together with this state file.
 */
const State = z.object({
  dev: z.number(),
  ino: z.number(),
  /** The file after the last clean close. Absent if it was not closed cleanly since the last check. */
  closed: z.object({ size: z.number(), mtimeMs: z.number() }).optional(),
  /** The damage that `PRAGMA quick_check` found. */
  damage: z.string().optional(),
})

type State = z.infer<typeof State>

const stateFile = (path: string) => `${path}-state.json`

/** Returns true if the last process of this installation closed the file, and nothing has written to it since. */
export function isClosedCleanly(path: string): boolean {
  const state = readState(path)
  if (!state?.closed || state.damage !== undefined || existsSync(`${path}-wal`)) return false
  const { size, mtimeMs } = statSync(path)
  return state.closed.size === size && state.closed.mtimeMs === mtimeMs
}

/** Stores what a check found; undefined for no damage. Until the next clean close the file counts as not closed. */
export function recordCheck(path: string, damage: string | undefined): void {
  const { dev, ino } = statSync(path)
  writeState(path, { dev, ino, ...(damage !== undefined && { damage }) })
}

/**
 * Stores a clean close. The last connection removes the log, so an existing log means that another process uses the
 * file. A file that was never checked stays unknown.
 */
export function recordCleanClose(path: string): void {
  const state = readState(path)
  if (!state || existsSync(`${path}-wal`)) return
  try {
    const { size, mtimeMs } = statSync(path)
    writeState(path, { ...state, closed: { size, mtimeMs } })
  } catch {
    // The disk is full or read-only. The next start checks the file.
  }
}

/** Returns what the last check found. Returns undefined if the file has no damage or was not checked. */
export function findDamage(path: string): string | undefined {
  return readState(path)?.damage
}

/** Returns undefined if there is no state, or it belongs to another file. */
function readState(path: string): State | undefined {
  try {
    const state = State.parse(JSON.parse(readFileSync(stateFile(path), 'utf8')))
    const { dev, ino } = statSync(path)
    return state.dev === dev && state.ino === ino ? state : undefined
  } catch {
    return undefined
  }
}

function writeState(path: string, state: State): void {
  const draft = `${stateFile(path)}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(state)}\n`, { mode: 0o600 })
  renameSync(draft, stateFile(path))
}
