import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildServer } from '../../../api/cli/build-server.ts'
import { buildConsole } from '../../../api/console/build.ts'
import manifest from '../../../package.json' with { type: 'json' }
import { parseProcfile } from '../../../shared/launcher/procfile.ts'
import { ProgramFailed, runProgram } from '../run-program.ts'
import { addHealthCheck, type ImageFacts } from './image-files.ts'
import { dataFolder, libraryPackages, makeRoot, userId } from './make-root.ts'

/**
 * `npm run image -- [FILE]`: builds the container image as an OCI archive, by default `dist/image.tar`. Uses `buildah` and `mmdebstrap` of
 * Debian, and no registry of images. The same commit, the same packages of Debian and the same buildah give the same bytes. Run it as root.
 */
const project = fileURLToPath(new URL('../../../', import.meta.url))
const buildModule = join(project, 'workers/signing/keys/pkcs11/build-module.ts')
const debianSuite = 'bookworm'
const second = 1_000_000_000

export async function buildImage(file: string): Promise<ImageFacts> {
  const work = mkdtempSync(join(tmpdir(), 'trustwright-image-'))
  try {
    await buildConsole()
    await buildServer()
    run(process.execPath, buildModule)
    const system = join(work, 'system')
    run('mmdebstrap', '--quiet', '--variant=extract', `--include=${libraryPackages}`, debianSuite, system)
    const layout = join(work, 'layout')
    commit(work, layout, (root) => makeRoot(root, system))
    const facts = addHealthCheck(layout, {
      Test: ['CMD', 'node', 'shared/check-health.ts'],
      ...{ Interval: 10 * second, Timeout: 5 * second, StartPeriod: 60 * second, Retries: 3 },
    })
    const archive = join(work, 'image.tar')
    const sameOwner = ['--owner=0', '--group=0', '--numeric-owner', '--mode=a=rX,u+w']
    run('tar', '--sort=name', `--mtime=@${createdAt()}`, ...sameOwner, '-cf', archive, '-C', layout, '.')
    mkdirSync(dirname(resolve(file)), { recursive: true })
    copyFileSync(archive, `${resolve(file)}.new`)
    renameSync(`${resolve(file)}.new`, resolve(file))
    return facts
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Commits a container with the files that `fill` writes to the layout. All data of buildah is in `work`. */
function commit(work: string, layout: string, fill: (root: string) => void): void {
  const storage = ['--root', join(work, 'storage'), '--runroot', join(work, 'run'), '--storage-driver', 'vfs']
  const buildah = (...words: string[]) => run('buildah', ...storage, ...words)
  const container = buildah('from', 'scratch')
  try {
    const root = buildah('mount', container)
    fill(root)
    buildah('config', ...configuration(), container)
    const options = ['--quiet', '--identity-label=false', '--timestamp', createdAt()]
    buildah('commit', ...options, container, `oci:${layout}:${manifest.name}:${manifest.version}`)
  } finally {
    buildah('rm', container)
  }
}

function configuration(): string[] {
  const processes = parseProcfile(readFileSync(join(project, 'Procfile'), 'utf8'))
  const web = processes.find(({ name }) => name === 'web')
  if (!web) throw new Error('The Procfile has no process web.')
  const environment = { PATH: '/usr/local/bin', NODE_ENV: 'production', DATA_DIR: `/${dataFolder}` }
  return [
    ...['--cmd', JSON.stringify(web.command.split(' ')), '--user', `${userId}:${userId}`, '--workingdir', '/app'],
    ...['--port', '3000', '--stop-signal', 'SIGTERM'],
    ...Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    ...Object.entries(labels()).flatMap(([name, value]) => ['--label', `org.opencontainers.image.${name}=${value}`]),
  ]
}

function labels(): Record<string, string> {
  const { name, version, description, license } = manifest
  const revision = git('rev-parse', 'HEAD')
  const isModified = git('status', '--porcelain') !== ''
  return {
    ...{ title: name, version, description, licenses: license },
    created: new Date(Number(createdAt()) * 1000).toISOString(),
    ...(revision && { revision: isModified ? `${revision}-modified` : revision }),
  }
}

/** Returns the time of the commit in seconds, so that the same commit gives the same image. `SOURCE_DATE_EPOCH` sets another time. */
function createdAt(): string {
  return process.env.SOURCE_DATE_EPOCH || git('log', '-1', '--format=%ct') || '0'
}

/** Returns what a git command prints, or nothing outside of a repository. */
function git(...words: string[]): string {
  const { status, stdout } = spawnSync('git', words, { cwd: project, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : ''
}

function run(program: string, ...words: string[]): string {
  return runProgram(program, words)
}

if (import.meta.main) {
  const [file = 'dist/image.tar'] = process.argv.slice(2)
  try {
    const { digest, bytes } = await buildImage(file)
    console.log(`${file}: ${digest}, ${(bytes / 1_000_000).toFixed(1)} MB`)
  } catch (error) {
    if (!(error instanceof ProgramFailed)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
