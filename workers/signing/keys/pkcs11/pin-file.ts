import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const pollMs = 250

/** Returns a text that differs after the file was written or replaced. */
export function fileVersion(file: string): string {
  const { mtimeMs, ctimeMs, ino, size } = statSync(file, { throwIfNoEntry: false }) ?? {}
  return [mtimeMs, ctimeMs, ino, size].join(' ')
}

/** Resolves when the file has another version, or when the signal aborts. Polls, because a mounted secret is replaced through links. */
export async function changeOfFile(file: string, version: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && fileVersion(file) === version) await sleep(pollMs, undefined, { signal }).catch(() => {})
}
