import { hash } from 'node:crypto'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { builtFolder } from './pages/built.ts'

/**
 * `npm run build`: builds the console from `api/console/app/`, unless the existing build has the same sources. Other processes can
 * serve the console during the build. The build writes new files first, then the page that names them, and deletes old files last.
 */
const source = fileURLToPath(new URL('./app/', import.meta.url))
const root = fileURLToPath(new URL('../../', import.meta.url))
/** The client of the API is a part of the console. */
const clientSource = join(root, 'shared/client')
const stampFile = join(builtFolder, 'stamp')
const assetsFolder = join(builtFolder, 'assets')

/** Builds the console if its sources changed. Returns whether it was built. */
export async function buildConsole(): Promise<boolean> {
  const stamp = stampOfSources()
  if (stamp === (await readFile(stampFile, 'utf8').catch(() => undefined))) return false
  const fresh = await mkdtemp(join(fileURLToPath(new URL('./', import.meta.url)), 'built-'))
  try {
    await bundleInto(fresh)
    const assets = await readdir(join(fresh, 'assets'))
    await mkdir(assetsFolder, { recursive: true })
    // `rename` replaces a file atomically. Another process can be serving a file of the same name, built from the same sources.
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
  const client = globSync('*.ts', { cwd: clientSource, exclude: ['*.d.ts'] }).sort()
  const texts = [
    ...sources.map((name) => join(source, name)),
    ...client.map((name) => join(clientSource, name)),
    ...[join(root, 'package-lock.json'), import.meta.filename],
  ]
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
        // Every asset is a file, because the content security policy of the page refuses data: URLs.
        assetsInlineLimit: 0,
        rolldownOptions: {
          output: {
            // The files of two areas can import each other. Each module runs when it is first imported.
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

/** Sets NODE_ENV to production. Vite reads this variable in every mode, and would build a different, larger console otherwise. */
async function asInProduction(act: () => Promise<unknown>): Promise<void> {
  const { NODE_ENV = '' } = process.env
  process.env.NODE_ENV = 'production'
  try {
    await act()
  } finally {
    process.env.NODE_ENV = NODE_ENV
  }
}

/**
 * Returns the name of the output file of a module. An area has one file, and so do the charts, because small files compress badly. The menu entry and
 * the texts of an area are in the file that needs them first.
 */
function fileOf(id: string): string | null {
  if (id.includes('/kit/charts/')) return 'charts'
  const [, area, name = ''] = /\/screens\/([\w-]+)\/(?:.*\/)?([\w-]+)\.\w+$/.exec(id) ?? []
  return area === undefined || name === 'area' || name === 'texts' ? null : area
}

if (import.meta.main && (await buildConsole())) console.log('console built')
