import { chmodSync, copyFileSync, existsSync, globSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { bundleFiles, isBundleCurrent } from '../../../shared/launcher/bundle.ts'
import { addOnFile, moduleFolder } from '../../../workers/signing/keys/pkcs11/module-folder.ts'

/** Tools of development, the browser sources of the console, and the development provider. The image does not have them. */
const developmentFiles = [
  ...['api/console/app/**', 'api/console/build.ts', 'api/console/built-*/**'],
  ...['api/cli/{build-package,build-server,bundle-for-node,print-console-types,typescript-api}.ts'],
  ...['db/cli/{generate,drizzle.config,print-data-model}.ts'],
  'shared/launcher/identity-provider{,-process}.ts',
  'workers/signing/keys/pkcs11/{build-module.ts,module/**}',
]

/** Folders of packages that no program loads. */
const unusedFolders = /^(tests?|__tests__|docs?|examples?|bench(marks?)?|samples|\.github)$/
/** Types, source maps, texts, scripts of a shell, and sources of native add-ons. Node.js loads none of them from a package. */
const unusedFile = /\.([cm]?ts|map|md|markdown|tsbuildinfo|sh|c|cc|cpp|h|hpp|gypi?)$/i
const licenseFile = /^(licen[cs]e|copying|copyright|notice|third.?party)/i

interface LockedPackage {
  version: string
  dev?: boolean
  optional?: boolean
  devOptional?: boolean
  peer?: boolean
}

/** Copies the product and its production dependencies to `app`. Throws if the build or an installed package is missing. */
export function copyApplication(root: string, app: string): void {
  if (!existsSync(join(root, 'api/console/built/index.html')) || !isBundleCurrent(root))
    throw new Error('Run npm run build first.')
  const product = globSync('{api,db,shared,workers}/**/*', { cwd: root, exclude: developmentFiles })
  // The guides, which the service shows at /docs/guide.
  const guides = globSync('docs/{*.md,decisions/*.md}', { cwd: root })
  for (const file of [...product, ...guides, ...bundleFiles(root), 'package.json', 'Procfile', 'LICENSE']) {
    if (file.endsWith('.d.ts') || statSync(join(root, file)).isDirectory()) continue
    copy(join(root, file), join(app, file))
  }
  copyPkcs11Module(app)
  for (const name of productionPackages(root))
    for (const file of filesOfPackage(join(root, name))) copy(join(root, name, file), join(app, name, file))
}

/** Copies what `npm run pkcs11:build` has built. */
function copyPkcs11Module(app: string): void {
  if (!existsSync(addOnFile)) throw new Error('Run npm run pkcs11:build first.')
  const folder = 'node_modules/pkcs11js'
  for (const file of ['package.json', 'index.js', 'LICENSE', 'build/Release/pkcs11.node'])
    copy(join(moduleFolder, folder, file), join(app, 'dist/pkcs11', folder, file))
}

/** Copies a file, readable by all. It has the same rights on each machine. */
export function copy(from: string, to: string, mode = 0o644): void {
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, to)
  chmodSync(to, mode)
}

/** Returns the folders of the packages that `npm ci --omit=dev` installs. */
function productionPackages(root: string): string[] {
  const lock: { packages: Record<string, LockedPackage> } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  )
  return Object.entries(lock.packages).flatMap(([name, { dev, version, optional, devOptional }]) => {
    if (name === '' || dev) return []
    const manifest = join(root, name, 'package.json')
    if (!existsSync(manifest) && (optional || devOptional)) return []
    const installed = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : 'missing'
    if (installed !== version) throw new Error(`${name} is ${installed} instead of ${version}. Run npm ci.`)
    return [name]
  })
}

/** Returns the files of a package that a program can load, and its licences. Returns none if the package has only types. */
function filesOfPackage(folder: string): string[] {
  const files = globSync('**/*', { cwd: folder, exclude: ['node_modules/**'], withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
  const loaded = files.filter((file) => isLoaded(file))
  const hasProgram = loaded.some((file) => file !== 'package.json')
  return hasProgram ? files.filter((file) => loaded.includes(file) || licenseFile.test(basename(file))) : []
}

function isLoaded(file: string): boolean {
  if (unusedFolders.test(file.split('/')[0] ?? '') || unusedFile.test(file)) return false
  if (licenseFile.test(basename(file))) return false
  return extname(file) !== '.node' || !isOfOtherPlatform(file)
}

/** Add-ons name their platform: `linux-arm64.node`, `node.abi115.musl.node`. */
function isOfOtherPlatform(file: string): boolean {
  const [, architecture = process.arch] = /linux-(\w+)/.exec(file) ?? []
  return /darwin|win32|freebsd|android|musl/.test(file) || architecture !== process.arch
}
