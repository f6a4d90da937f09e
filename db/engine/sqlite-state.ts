import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

/**
 * What this installation knows of its SQLite file, in `<database>-state.json` beside it. `dev` and `ino` tell the file from a copy of it, to
 * which this file was copied along.
 */
const State = z.object({
  dev: z.number(),
  ino: z.number(),
  /** The file after the last clean close; absent where it was never closed cleanly since it was checked. */
  closed: z.object({ size: z.number(), mtimeMs: z.number() }).optional(),
  /** What `PRAGMA quick_check` found. */
  damage: z.string().optional(),
})

type State = z.infer<typeof State>

const stateFile = (path: string) => `${path}-state.json`

/** Whether the last process of this installation that used the file closed it, and nothing has written to it since. */
export function isClosedCleanly(path: string): boolean {
  const state = readState(path)
  if (!state?.closed || state.damage !== undefined || existsSync(`${path}-wal`)) return false
  const { size, mtimeMs } = statSync(path)
  return state.closed.size === size && state.closed.mtimeMs === mtimeMs
}

/** Notes what a check found, or that there was nothing to find. Until the next clean close the file counts as not closed. */
export function noteChecked(path: string, damage: string | undefined): void {
  const { dev, ino } = statSync(path)
  writeState(path, { dev, ino, ...(damage !== undefined && { damage }) })
}

/**
 * Notes a clean close. The last connection takes the log away, so that a log means that another process uses the file. A file that was never
 * checked stays unknown.
 */
export function noteClosed(path: string): void {
  const state = readState(path)
  if (!state || existsSync(`${path}-wal`)) return
  try {
    const { size, mtimeMs } = statSync(path)
    writeState(path, { ...state, closed: { size, mtimeMs } })
  } catch {
    // The disk is full or read-only: the next start checks the file.
  }
}

/** What the last check found; undefined for a file that is whole, or was not checked. */
export function findDamage(path: string): string | undefined {
  return readState(path)?.damage
}

/** Undefined where there is none, or it is about another file. */
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
