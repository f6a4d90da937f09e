import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The file that runs the programs of the bundle, by their path in the sources: `node dist/server.js api/main.ts`. */
export const bundleFile = 'dist/server.js'

/** The folder of the bundle in `dist/server`. It has a name of its own for each state of the sources. */
export const bundleFolder = (digest: string) => `server/${digest.slice(0, 16)}`

/** The content of `bundleFile`. With source maps, stack traces have the lines of the sources. */
export const bundleEntry = (digest: string) =>
  `process.setSourceMapsEnabled(true)\nawait import('./${bundleFolder(digest)}/main.js')\n`

/** Returns the SHA-256 of all files that the bundle is made of, and of the versions of the packages. */
export function digestOfSources(root: string): string {
  const sources = globSync('{api,db,shared,workers}/**/*.{ts,json}', {
    cwd: root,
    exclude: ['api/console/app', 'api/console/built*', 'db/migrations', '**/*.d.ts'],
  })
  const digest = createHash('sha256')
  for (const file of [...sources.sort(), 'package.json', 'package-lock.json'])
    digest.update(`${file}\n`).update(readFileSync(join(root, file)))
  return digest.digest('hex')
}

/** Returns whether the bundle has the sources of the project. */
export function isBundleCurrent(root: string): boolean {
  try {
    return readFileSync(join(root, bundleFile), 'utf8') === bundleEntry(digestOfSources(root))
  } catch {
    return false // a file is missing
  }
}

/** Returns the paths of the files of the current bundle. */
export function bundleFiles(root: string): string[] {
  const folder = join('dist', bundleFolder(digestOfSources(root)))
  return [bundleFile, ...globSync(`${folder}/*`, { cwd: root }).sort()]
}

/**
 * Builds the bundle of `root` if its sources changed. `build` is undefined without development dependencies. Returns whether the bundle is
 * current then.
 */
export async function buildIfChanged(root: string, build: (() => Promise<unknown>) | undefined): Promise<boolean> {
  if (isBundleCurrent(root)) return true
  await build?.()
  return build !== undefined && isBundleCurrent(root)
}

/** Returns the command that runs the sources instead of the bundle, for a command of the Procfile. */
export function commandOfSources(command: string): string {
  return command.replace(` ${bundleFile} `, ' ')
}
