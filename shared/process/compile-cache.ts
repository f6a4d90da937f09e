import { lstatSync, mkdirSync, type Stats, statSync } from 'node:fs'
import { enableCompileCache, getCompileCacheDir } from 'node:module'
import { join, resolve } from 'node:path'

/** The folder in `DATA_DIR` in which Node keeps compiled code between starts. */
export const compileCacheName = 'compile-cache'

/**
 * Speeds up later imports: Node caches compiled code in `DATA_DIR/compile-cache`. Static imports of the caller are compiled before
 * this runs, so that an entry point imports the rest with `import()`. Does nothing if `NODE_COMPILE_CACHE` names another folder.
 *
 * A user who can write into this folder can run code in the next process. The cache is therefore used only if the folder and `DATA_DIR` belong to the
 * user of this process or to root, and neither their group nor others can write there. Without a cache the start takes longer.
 */
export function useCompileCache(dataDir: string): void {
  if (getCompileCacheDir()) return
  const folder = resolve(join(dataDir, compileCacheName))
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (isSafe(statSync(dataDir)) && isSafe(lstatSync(folder))) enableCompileCache(folder)
  } catch {
    // The folder cannot be made or read.
  }
}

function isSafe(folder: Stats): boolean {
  const ownedByUs = folder.uid === process.getuid?.() || folder.uid === 0
  return folder.isDirectory() && ownedByUs && (folder.mode & 0o022) === 0
}
