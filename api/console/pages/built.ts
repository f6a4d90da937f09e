import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where `npm run build` puts the console. */
export const builtFolder = fileURLToPath(new URL('../built/', import.meta.url))
export const assetsFolder = join(builtFolder, 'assets')
export const indexFile = join(builtFolder, 'index.html')

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
export function readIndex(): Promise<Buffer | undefined> {
  return readIfThere(indexFile)
}

/** Undefined where the build that is there now has no such file. */
export async function readAsset(name: string): Promise<Asset | undefined> {
  const mediaType = mediaTypes[extname(name)]
  if (!mediaType || !/^[\w.-]+$/.test(name)) return undefined
  const [bytes, gzipped] = await Promise.all([
    readIfThere(join(assetsFolder, name)),
    readIfThere(join(assetsFolder, `${name}.gz`)),
  ])
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
