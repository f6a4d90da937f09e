import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where `npm run build` puts the console: its page, and `assets/`, each beside itself in gzip. */
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

/** The page that all of the console's addresses answer with; undefined before it is built. */
export function readIndex(folder: string): Promise<Buffer | undefined> {
  return readIfThere(join(folder, 'index.html'))
}

/** Undefined where the build that is there now has no such file. */
export async function readAsset(folder: string, name: string): Promise<Asset | undefined> {
  const mediaType = mediaTypes[extname(name)]
  // No name of a folder among it, so that nothing else is read.
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
