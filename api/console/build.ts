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
/** The permissions, the client of the API, the reader of tables, the texts with placeholders and the test wallet are parts of the console. */
const sharedSources = [
  'shared/access/*.ts',
  'shared/client/*.ts',
  'shared/texts/*.ts',
  'shared/wallet/*.ts',
  'shared/formats/table-file/*.ts',
  'shared/formats/lossless-json.ts',
  'shared/formats/json-object.ts',
]
const stampFile = join(builtFolder, 'stamp')
const assetsFolder = join(builtFolder, 'assets')

/**
 * The output files. There are few, because small files compress badly. The first view has one file. Each area has one file. The other shared
 * parts are in three files: the charts, QR codes, and the rest of `kit/` with the permissions. A dynamic import has a file of its own.
 */
const groups = [
  { name: 'first', tags: ['$initial' as const] },
  { name: (id: string) => /\/(?:screens\/|shared\/(?=wallet\/))([\w-]+)\//.exec(id)?.[1] ?? null, debugName: 'areas' },
  { name: 'charts', test: /\/kit\/charts\// },
  { name: 'qr', test: /\/(kit\/qr|uqr)\b/ },
  { name: 'kit', test: /\/(kit\/|shared\/access\/|json-object\.)/ },
]

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
  const shared = globSync(sharedSources, { cwd: root, exclude: ['**/*.d.ts'] }).sort()
  const texts = [
    ...sources.map((name) => join(source, name)),
    ...shared.map((name) => join(root, name)),
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
      resolve: { alias: { 'csv-parse': 'csv-parse/browser/esm' } },
      plugins: [jsoncAsDefault, { name: 'refuse-circles', generateBundle: (_, files) => refuseCircles(files) }],
      build: {
        outDir: folder,
        emptyOutDir: true,
        target: 'es2022',
        modulePreload: { polyfill: false },
        // Every asset is a file, because the content security policy of the page refuses data: URLs.
        assetsInlineLimit: 0,
        rolldownOptions: { output: { codeSplitting: { includeDependenciesRecursively: false, groups } } },
      },
    }),
  )
  const assets = join(folder, 'assets')
  for (const name of await readdir(assets)) {
    const compressed = await promisify(gzip)(await readFile(join(assets, name)), { level: 9 })
    await writeFile(join(assets, `${name}.gz`), compressed)
  }
}

/** In Node.js, jsonc-parser is a module of CommonJS, which has a default export. Its module for browsers has none. */
const jsoncAsDefault = {
  name: 'jsonc-as-default',
  enforce: 'pre' as const,
  resolveId: (id: string) => (id === 'jsonc-parser' ? '\0jsonc-parser' : undefined),
  load: (id: string) =>
    id === '\0jsonc-parser' ? "import * as all from 'jsonc-parser/lib/esm/main.js'\nexport default all" : undefined,
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
 * Throws an error if output files import each other in a circle. The modules of such files could run before the modules that they import.
 * To correct this, move what two areas share to `kit/`.
 */
export function refuseCircles(files: Record<string, { fileName: string; imports?: readonly string[] }>): void {
  const complete = new Set<string>()
  const visit = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) throw new Error(`Files of the console import each other: ${[...path, name].join(' -> ')}`)
    if (complete.has(name)) return
    for (const imported of files[name]?.imports ?? []) visit(imported, [...path, name])
    complete.add(name)
  }
  for (const name of Object.keys(files)) visit(name, [])
}

if (import.meta.main && (await buildConsole())) console.log('console built')
