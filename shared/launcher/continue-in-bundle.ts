import { fileURLToPath } from 'node:url'
import { bundleFile } from './bundle.ts'

/** The folder in which `npm start` was called. Options of Node.js, such as `--import`, can have paths that are relative to it. */
const startFolder = process.cwd()
const bundle = fileURLToPath(new URL(`../../${bundleFile}`, import.meta.url))

/** Returns whether this process runs a program of the bundle. */
export function isInBundle(): boolean {
  return process.argv[1] === bundle
}

/**
 * Replaces the program of this process by the launcher of the bundle. The process id, the parent, the environment and the standard streams stay, so
 * that signals reach the new program. The memory of the old program is freed, which includes the module that strips types. Returns only if
 * this process runs the bundle already, and on Windows, which cannot replace a program.
 */
export function continueInBundle(): void {
  if (isInBundle() || !process.execve) return
  process.chdir(startFolder)
  process.execve(process.execPath, [process.execPath, ...process.execArgv, bundle, 'shared/launcher/run.ts'])
}
