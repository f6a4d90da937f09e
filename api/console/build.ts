import { hash } from 'node:crypto'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { builtFolder } from './pages/built.ts'

/**
 * `npm run build`: makes the console of `api/console/app/`, unless what is there was made of the same sources. Other processes
 * may serve it meanwhile: new files come first, then the page that names them, and the old ones go last.
 */
const source = fileURLToPath(new URL('./app/', import.meta.url))
const root = fileURLToPath(new URL('../../', import.meta.url))
const stampFile = join(builtFolder, 'stamp')
const assetsFolder = join(builtFolder, 'assets')

/** Returns whether there was something to do. */
export async function buildConsole(): Promise<boolean> {
  const stamp = stampOfSources()
  if (stamp === (await readFile(stampFile, 'utf8').catch(() => undefined))) return false
  const fresh = await mkdtemp(join(fileURLToPath(new URL('./', import.meta.url)), 'built-'))
  try {
    await bundleInto(fresh)
    const assets = await readdir(join(fresh, 'assets'))
    await mkdir(assetsFolder, { recursive: true })
    // Whole, in one step: what another process has built of the same sources has the same names, and may be served right now.
    for (const name of assets) await rename(join(fresh, 'assets', name), join(assetsFolder, name))
    await rename(join(fresh, 'index.html'), join(builtFolder, 'index.html'))
    for (const name of readdirSync(assetsFolder))
      if (!assets.includes(name)) await rm(join(assetsFolder, name), { force: true })
    await writeFile(stampFile, stamp)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
  return true
}

function stampOfSources(): string {
  const sources = globSync('**/*.{ts,tsx,css,html,json,svg}', { cwd: source, exclude: ['**/*.d.ts'] }).sort()
  const texts = [...sources.map((name) => join(source, name)), join(root, 'package-lock.json'), import.meta.filename]
  return hash('sha256', texts.map((file) => `${file.slice(root.length)}\n${readFileSync(file, 'utf8')}`).join('\n'))
}

async function bundleInto(folder: string): Promise<void> {
  const { build } = await import('vite')
  await asInProduction(() =>
    build({
      configFile: false,
      root: source,
      base: '/console/',
      logLevel: 'warn',
      build: {
        outDir: folder,
        emptyOutDir: true,
        target: 'es2022',
        modulePreload: { polyfill: false },
        // Each is a file, since the policy of the page refuses data: addresses.
        assetsInlineLimit: 0,
        rolldownOptions: {
          output: {
            // Files of two areas may need each other: each module runs when it is first asked for.
            strictExecutionOrder: true,
            codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: fileOf, debugName: 'areas' }] },
          },
        },
      },
    }),
  )
  const assets = join(folder, 'assets')
  for (const name of await readdir(assets)) {
    const compressed = await promisify(gzip)(await readFile(join(assets, name)), { level: 9 })
    await writeFile(join(assets, `${name}.gz`), compressed)
  }
}

/** Vite goes by this variable whatever the mode: in development and in tests it would make something else, and larger. */
async function asInProduction(act: () => Promise<unknown>): Promise<void> {
  const { NODE_ENV = '' } = process.env
  process.env.NODE_ENV = 'production'
  try {
    await act()
  } finally {
    process.env.NODE_ENV = NODE_ENV
  }
}

/** What an area loads is one file: small ones are compressed badly. Its menu entry, and texts, are where they are needed first. */
function fileOf(id: string): string | null {
  const [, area, name = ''] = /\/screens\/([\w-]+)\/(?:.*\/)?([\w-]+)\.\w+$/.exec(id) ?? []
  return area === undefined || name === 'area' || name === 'texts' ? null : area
}

if (import.meta.main && (await buildConsole())) console.log('The console is built.')
