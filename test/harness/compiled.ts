import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { bundleFile, bundleFiles } from '../../shared/launcher/bundle.ts'

const run = promisify(execFile)

/** The modules that the processes and their threads load, without their `main.ts`. */
const loaded = [
  './api/serve.ts',
  './api/credentials/verify/json-ld/thread.ts',
  './api/credentials/verify/qr/thread.ts',
  './api/ecosystems/trusted-lists/content-thread.ts',
  './workers/run-worker.ts',
  './workers/integrations/thread.ts',
  './workers/signing/create-signing-deps.ts',
  './workers/signing/trusted-lists/draft-thread.ts',
]

/**
 * Compiles the service into `dir` (`NODE_COMPILE_CACHE`). A process stores what it compiled when it ends. Processes of tests are killed,
 * so each of them would compile everything again.
 */
export const compileAhead = (dir: string): Promise<void> => importAll(loaded, dir)

/**
 * Builds the bundle of the service if its sources changed, and compiles its largest parts into `dir`. Returns the path of the bundle. A process
 * of the bundle starts with half of the CPU time of a process of the sources.
 */
export async function bundleAhead(dir: string): Promise<string> {
  const { buildServer } = await import('../../api/cli/build-server.ts')
  await buildServer()
  const programs = bundleFiles(process.cwd()).filter((file) => /\/(serve|run-worker)-[^/]*\.js$/.test(file))
  await importAll(
    programs.map((file) => `./${file}`),
    dir,
  )
  return bundleFile
}

async function importAll(files: string[], dir: string): Promise<void> {
  const imports = files.map((file) => `import '${file}'`).join('; ')
  const words = ['--import', './shared/quick-resolve.ts', '--input-type=module-typescript', '--eval', imports]
  await run(process.execPath, words, { env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: dir } })
}
