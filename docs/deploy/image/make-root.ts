import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ProgramFailed } from '../run-program.ts'
import { copy, copyApplication } from './copy-application.ts'

/**
 * `node docs/deploy/image/make-root.ts TARGET [SYSTEM]`: writes the files of the image to `TARGET`: the product, Node.js, and the libraries that
 * Node.js needs. The libraries are from the Debian system whose root is `SYSTEM`, by default `/`. There is no shell.
 */
const project = fileURLToPath(new URL('../../../', import.meta.url))

/** The user of the processes. */
export const userId = 10_001

/** The folder of the processes for files, in the root of the image. */
export const dataFolder = 'data'

/** Packages of Debian that have the libraries. */
export const libraryPackages = ['libc6', 'libgcc-s1', 'libstdc++6']

const systemFiles = {
  'etc/passwd': `root:x:0:0:root:/:/sbin/nologin\ntrustwright:x:${userId}:${userId}:Trustwright:/app:/sbin/nologin\n`,
  'etc/group': `root:x:0:\ntrustwright:x:${userId}:\n`,
  'etc/nsswitch.conf': 'hosts: files dns\n',
}

export function makeRoot(target: string, system = '/'): void {
  for (const folder of ['app', dataFolder, 'dev', 'etc', 'proc', 'run', 'sys', 'tmp'])
    mkdirSync(join(target, folder), { recursive: true })
  for (const [file, content] of Object.entries(systemFiles)) writeFileSync(join(target, file), content)
  copyApplication(project, join(target, 'app'))
  const node = join(target, 'usr/local/bin/node')
  copy(join(project, 'node_modules/node/bin/node'), node, 0o755)
  const [license] = globSync('node_modules/node/node_modules/node-*/LICENSE', { cwd: project })
  if (!license) throw new ProgramFailed('node_modules lacks the license of Node.js. Run npm ci.')
  copy(join(project, license), join(target, 'usr/share/doc/nodejs/copyright'))
  copyLibraries(system, target, [node, ...globSync(join(target, 'app/{,dist/pkcs11/}node_modules/**/*.node'))])
  for (const file of globSync('usr/share/doc/{libc6,gcc-*-base}/copyright', { cwd: system }))
    copy(join(system, file), join(target, file))
  for (const folder of globSync('**/', { cwd: target })) chmodSync(join(target, folder), 0o755)
  chmodSync(join(target, 'tmp'), 0o1777)
  chmodSync(join(target, dataFolder), 0o700)
  // Only root can do this.
  if (process.getuid?.() === 0) chownSync(join(target, dataFolder), userId, userId)
}

/** Copies the loader and the libraries of the programs. The loader lists them, and runs none of the programs. */
function copyLibraries(system: string, target: string, programs: string[]): void {
  const loader = ['lib64/ld-linux-x86-64.so.2', 'lib/ld-linux-aarch64.so.1'].find((path) =>
    existsSync(join(system, path)),
  )
  if (!loader) throw new Error(`${system} has no loader for x86-64 or aarch64.`)
  const folders = globSync('{lib,usr/lib}/*-linux-gnu', { cwd: system }).map((folder) => join(system, folder))
  const list = (program: string) =>
    execFileSync(join(system, loader), ['--list', '--library-path', folders.join(':'), program], { encoding: 'utf8' })
  const libraries = programs.flatMap((program) =>
    [...list(program).matchAll(/=> (\/\S+)/g)].map(([, path = '']) => path),
  )
  for (const path of new Set([...libraries, join(system, loader)])) {
    copy(path, join(target, path.slice(join(system, '/').length)), 0o755)
  }
}

if (import.meta.main) {
  const [target, system] = process.argv.slice(2)
  if (!target) {
    console.error('node docs/deploy/image/make-root.ts TARGET [SYSTEM]')
    process.exit(2)
  }
  makeRoot(target, system)
}
