import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Plugin } from 'vite'
import { bundleForNode } from './bundle-for-node.ts'
import { writeTypes } from './print-console-types.ts'

/**
 * `npm run build`: writes the npm package of the client and the command line to `dist/package`. It has no dependencies: the service and
 * its dependencies are not in it, and the dependencies of the client are bundled. `npm pack ./dist/package` packs it.
 */
const root = fileURLToPath(new URL('../../', import.meta.url))
const packageFolder = join(root, 'dist', 'package')
const bundled = {
  'csv-parse': 'LICENSE',
  'jsonc-parser': 'LICENSE.md',
  'openapi-fetch': 'LICENSE',
  'openapi-typescript-helpers': 'LICENSE',
  uqr: 'LICENSE',
}
/** The checks of the command line that need a driver are made in the folder of the service. */
const drivers = ['better-sqlite3', 'ioredis', 'ipaddr.js', 'pg', 'zod']
/** The packages whose types the types of the client use, and the files of these types. */
const typeFiles = { 'openapi-fetch': 'index.d.mts', 'openapi-typescript-helpers': 'index.d.ts' }

const readme = `# Trustwright

The [client](client.md) and the [command line](command-line.md) of the management API of Trustwright.
`

/** Builds the package in a new folder, which then replaces `folder`. */
export async function buildPackage(folder: string): Promise<void> {
  await writeTypes()
  await mkdir(join(folder, '..'), { recursive: true })
  const fresh = await mkdtemp(`${folder}-`)
  try {
    await Promise.all([bundleInto(fresh), writeTypesInto(join(fresh, 'types'))])
    await writeFile(join(fresh, 'package.json'), `${JSON.stringify(await packageManifest(), null, 2)}\n`)
    await writeFile(join(fresh, 'README.md'), readme)
    await writeFile(join(fresh, 'THIRD-PARTY-LICENSES'), await licenses())
    await copyFile(join(root, 'LICENSE'), join(fresh, 'LICENSE'))
    for (const name of ['client.md', 'command-line.md']) await copyFile(join(root, 'docs', name), join(fresh, name))
    await rm(folder, { recursive: true, force: true })
    await rename(fresh, folder)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

async function packageManifest() {
  const { name, version, license } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  return {
    ...{ name, version, license },
    description: 'Client and command line of the management API of Trustwright.',
    type: 'module',
    engines: { node: '>=20' },
    bin: { [name]: 'trustwright.js' },
    exports: {
      './client': { types: './types/client.d.ts', default: './client.js' },
      './package.json': './package.json',
    },
    files: ['*.js', '*.md', 'parts', 'types', 'THIRD-PARTY-LICENSES'],
  }
}

/** The package has no ceremonies. Their import fails, and the command says where to run it (trustwright/service-folder.ts). */
const withoutCeremonies: Plugin = {
  name: 'without-ceremonies',
  enforce: 'pre',
  resolveId: (id) => (id.startsWith('../ceremony/') ? { id: 'trustwright-service', external: true } : undefined),
}

async function bundleInto(folder: string): Promise<void> {
  const plugins = [withoutCeremonies]
  const common = { root, folder, target: 'node20', external: drivers, parts: 'parts/[name].js', plugins }
  // An uncaught error prints the line in which it was thrown.
  await bundleForNode({ ...common, entries: { client: 'shared/client/client.ts' }, isMinified: false })
  await bundleForNode({ ...common, entries: { trustwright: 'api/cli/trustwright.ts' }, isMinified: true })
}

/** Writes the types of the client. They import each other as `.js`, so that each resolution of TypeScript finds them. */
async function writeTypesInto(folder: string): Promise<void> {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const project = join(root, 'shared', 'client', 'tsconfig.package.json')
  await promisify(execFile)(process.execPath, [compiler, '-p', project, '--outDir', folder])
  const apiTypes = await readFile(join(root, 'shared/client/api.d.ts'), 'utf8')
  await writeFile(join(folder, 'api.d.ts'), shortened(apiTypes))
  for (const [name, file] of Object.entries(typeFiles))
    await copyFile(join(root, 'node_modules', name, 'dist', file), join(folder, `${name}.d.ts`))
  for (const name of await readdir(folder)) {
    const types = await readFile(join(folder, name), 'utf8')
    await writeFile(join(folder, name), withOwnImports(types))
  }
}

function withOwnImports(types: string): string {
  return types
    .replace(/(from '\.\/[\w-]+)(?:\.d)?\.ts'/g, "$1.js'")
    .replace(/from (['"])(openapi-[\w-]+)\1/g, "from './$2.js'")
}

/** Shortens the generated types by half: no indentation, no absent members, and short names for common parts. */
function shortened(types: string): string {
  const absent = /^(get|put|post|delete|options|head|patch|trace|cookie|requestBody)\?: never;\n/gm
  const absentParameter = /^(query|header|path)\?: never;\n/gm
  const noParameters = 'parameters: {\nquery?: never;\nheader?: never;\npath?: never;\n};'
  const members = types.replace(/^ +/gm, '').replace(absent, '')
  const named = members
    .replaceAll(noParameters, 'parameters: NoParameters;')
    .replace(absentParameter, '')
    .replaceAll(/components\["responses"\]\["(\w+)"\]/g, '$1')
    .replaceAll('components["schemas"][', 'Schemas[')
    .replaceAll('headers: {\n[name: string]: unknown;\n};', 'headers: AnyHeaders;')
    .replaceAll('429: TooManyRequests;\n500: Internal;\n503: ServiceUnavailable;\n};', '} & AnyTime;')
  const responses = [...new Set(members.match(/(?<=components\["responses"\]\[")\w+/g))]
  const names = {
    ...Object.fromEntries(responses.map((name) => [name, `components["responses"]["${name}"]`])),
    Schemas: 'components["schemas"]',
    AnyHeaders: '{ [name: string]: unknown }',
    AnyTime: '{ 429: TooManyRequests; 500: Internal; 503: ServiceUnavailable }',
    NoParameters: '{ query?: never; header?: never; path?: never }',
  }
  const declared = Object.entries(names).map(([name, type]) => `type ${name} = ${type};\n`)
  return declared.join('') + named
}

async function licenses(): Promise<string> {
  const texts = Object.entries(bundled).map(async ([name, file]) => {
    const license = await readFile(join(root, 'node_modules', name, file), 'utf8')
    return `${name}\n\n${license.trim()}\n`
  })
  return (await Promise.all(texts)).join('\n---\n\n')
}

if (import.meta.main) {
  await buildPackage(packageFolder)
  console.log('package built')
}
