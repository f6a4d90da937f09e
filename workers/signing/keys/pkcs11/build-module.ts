import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { addOnFile, moduleFolder } from './module-folder.ts'

/**
 * `npm run pkcs11:build`: installs pkcs11js into `dist/pkcs11` and builds its add-on, with the compiler of the system and the headers of
 * Node.js. Downloads the package from the npm registry, and nothing else.
 */
const root = fileURLToPath(new URL('../../../../', import.meta.url))
const source = fileURLToPath(new URL('module/', import.meta.url))

if (!isCurrent()) build()
console.log('module for PKCS#11 built')

/** Returns whether the add-on is that of the lock file. */
function isCurrent(): boolean {
  const [lock, built] = [source, moduleFolder].map((folder) => join(folder, 'package-lock.json')) as [string, string]
  return existsSync(addOnFile) && readFileSync(lock).equals(readFileSync(built))
}

function build(): void {
  const missing = ['g++', 'make', 'python3'].filter((program) => spawnSync(program, ['--version']).error)
  if (missing.length > 0)
    fail(`${missing.join(', ')} missing. Install the compiler, on Debian with apt-get install ${missing.join(' ')}.`)
  const headers = findHeaders()
  if (!headers) fail('The headers of Node.js are missing: include/node/node.h beside the folder of its program.')
  mkdirSync(moduleFolder, { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(source, file), join(moduleFolder, file))
  const words = ['ci', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', `--nodedir=${headers}`]
  const { status } = spawnSync('npm', words, { cwd: moduleFolder, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0 || !existsSync(addOnFile)) fail('npm could not build the module for PKCS#11.')
}

/** Returns the folder that has `include/node` of the Node.js that runs. */
function findHeaders(): string | undefined {
  const prefix = dirname(dirname(process.execPath))
  const folders = [prefix, ...globSync(join(root, 'node_modules/node/node_modules/node-*/'))]
  return folders.find((folder) => existsSync(join(folder, 'include/node/node.h')))
}

function fail(reason: string): never {
  console.error(reason)
  process.exit(1)
}
