import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { bundleEntry, bundleFile, bundleFolder, digestOfSources } from '../../shared/launcher/bundle.ts'
import { bundleForNode } from './bundle-for-node.ts'

/**
 * `npm run build`: writes the bundle of the service to `dist/server.js` and `dist/server`. `node dist/server.js api/main.ts` runs the same
 * program as `node api/main.ts`. It starts in half of the time, because it has few files. Pages, texts, migrations and the modules
 * of threads stay files of the sources, and are read there.
 */
const root = fileURLToPath(new URL('../../', import.meta.url))
const programs = [
  'api/main.ts',
  'workers/main.ts',
  'api/combined/main.ts',
  'db/cli/migrate.ts',
  'api/cli/init.ts',
  'shared/launcher/run.ts',
]
/** A native add-on, and the tools of development that a log can use. */
const external = ['better-sqlite3', 'pino-pretty']

/** Builds the bundle if its sources changed. Returns whether it was built. Another process can run the earlier bundle meanwhile. */
export async function buildServer(): Promise<boolean> {
  const digest = digestOfSources(root)
  const entry = bundleEntry(digest)
  const earlier = await readFile(join(root, bundleFile), 'utf8').catch(() => undefined)
  if (earlier === entry) return false
  const folder = join(root, 'dist', bundleFolder(digest))
  await mkdir(join(folder, '..'), { recursive: true })
  const fresh = await mkdtemp(`${folder}-`)
  try {
    await bundleInto(fresh)
    await rename(fresh, folder).catch(async () => readFile(join(folder, 'main.js'))) // another build was first
    await writeFile(`${fresh}.js`, entry)
    await rename(`${fresh}.js`, join(root, bundleFile))
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
  await removeOthers([entry, earlier])
  return true
}

/**
 * Removes the bundles of other sources than those of `kept`. Processes of the earlier bundle still load parts of it. Other builds of the
 * same sources can still write theirs.
 */
async function removeOthers(kept: (string | undefined)[]): Promise<void> {
  const folder = join(root, 'dist/server')
  for (const name of await readdir(folder)) {
    const [digest = ''] = name.split(/[-.]/)
    if (!kept.some((text) => text?.includes(digest))) await rm(join(folder, name), { recursive: true, force: true })
  }
}

function bundleInto(folder: string): Promise<void> {
  return bundleForNode({
    ...{ root, folder, external, parts: '[name]-[hash].js', target: 'node24' },
    entries: { main: 'programs' },
    plugins: [programsModule, cronParser(folder), sourcePaths(folder)],
    isMinified: false,
    hasSourceMaps: true,
    output: {
      sourcemapExcludeSources: true,
      comments: false,
      minify: { compress: false, mangle: false, codegen: { asciiOnly: true, removeWhitespace: false } },
    },
  })
}

/** The first module: it loads the program whose path is the first argument, and removes the argument. */
const programsModule: Plugin = {
  name: 'programs',
  enforce: 'pre',
  resolveId: (id) => (id === 'programs' ? '\0programs' : undefined),
  load: (id) => {
    if (id !== '\0programs') return undefined
    const imports = programs.map((path) => `${JSON.stringify(path)}: () => import(${JSON.stringify(join(root, path))})`)
    return `const programs = {${imports.join(', ')}}
const [path] = process.argv.splice(2, 1)
if (!Object.hasOwn(programs, path)) {
  console.error('node ${bundleFile} PROGRAM: PROGRAM is one of ' + Object.keys(programs).join(', '))
  process.exit(2)
}
await programs[path]()
`
  },
}

/** BullMQ needs the package only for schedules in the syntax of cron. No job has one, so that it is loaded at the first. */
function cronParser(folder: string): Plugin {
  const manifest = JSON.stringify(join(relative(folder, root), 'package.json'))
  return {
    name: 'cron-parser',
    enforce: 'pre',
    resolveId: (id) => (id === 'cron-parser' ? '\0cron-parser' : undefined),
    load: (id) =>
      id === '\0cron-parser'
        ? `import { createRequire } from 'node:module'
const load = createRequire(new URL(${manifest}, import.meta.url))
export const CronExpressionParser = { parse: (...words) => load('cron-parser').CronExpressionParser.parse(...words) }
`
        : undefined,
  }
}

/** In the bundle, `import.meta.url` of a module of the sources stays the address of its source. */
function sourcePaths(folder: string): Plugin {
  return {
    name: 'source-paths',
    enforce: 'pre',
    transform: (code, id) => {
      const path = relative(root, id)
      if (path.startsWith('..') || path.includes('node_modules') || !code.includes('import.meta.url')) return undefined
      const url = `new URL(${JSON.stringify(join(relative(folder, root), path))}, import.meta.url).href`
      return { code: code.replaceAll('import.meta.url', url), map: null }
    },
  }
}

if (import.meta.main && (await buildServer())) console.log('server built')
