import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The output folder of `npm run build`: the page of the console, and `assets/` with a gzip file beside each asset. */
export const builtFolder = fileURLToPath(new URL('../built/', import.meta.url))

const mediaTypes: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

interface Asset {
  bytes: Buffer
  gzipped: Buffer
  mediaType: string
}

/** Returns the page that is served at all addresses of the console. Returns undefined before the console is built. */
export function readIndex(folder: string): Promise<Buffer | undefined> {
  return readIfThere(join(folder, 'index.html'))
}

/** Returns an asset of the current build, or undefined if the build has no such file. */
export async function readAsset(folder: string, name: string): Promise<Asset | undefined> {
  const mediaType = mediaTypes[extname(name)]
  // The name cannot contain a path separator, so that no file outside the folder is read.
  if (!mediaType || !/^[\w.-]+$/.test(name)) return undefined
  const file = join(folder, 'assets', name)
  const [bytes, gzipped] = await Promise.all([readIfThere(file), readIfThere(`${file}.gz`)])
  return bytes && gzipped && { bytes, gzipped, mediaType }
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
