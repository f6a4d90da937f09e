import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buildImage } from '../../docs/deploy/image/build.ts'
import { unpackImage } from './image-root.ts'

/**
 * `npm run test:image -- [--postgres] [FILE...]`: builds the image, and runs tests whose processes then run in its root. The default is
 * tests of flows, webhooks, faults and restarts. Only the processes of `startProcesses` run in the image. `--postgres` uses a private PostgreSQL.
 */
const defaults = [
  ...['delivery-flood', 'kill', 'process-health', 'rolling-restart', 'signing-kill', 'tenant-files'],
  ...['automatic-lists-kill', 'fairness'],
].map((name) => `test/flows/${name}.test.ts`)

const dir = mkdtempSync(join(tmpdir(), 'trustwright-in-image-'))
try {
  const archive = join(dir, 'image.tar')
  const { digest } = await buildImage(archive)
  const { root } = unpackImage(archive, dir)
  rmSync(archive)
  console.log(`Testing the image ${digest}.`)
  const given = process.argv.slice(2)
  const isPostgres = given.includes('--postgres')
  const files = given.filter((word) => word !== '--postgres')
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
  const program = isPostgres ? ['test/harness/postgres.ts'] : [vitest, 'run']
  const suite = spawn(process.execPath, [...program, ...(files.length > 0 ? files : defaults)], {
    env: { ...process.env, TEST_IMAGE_ROOT: root },
    stdio: 'inherit',
  })
  // vitest ends on the same Ctrl-C. The folder is then removed.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => suite.kill(signal))
  const [code] = await once(suite, 'exit')
  process.exitCode = code ?? 1
} finally {
  rmSync(dir, { recursive: true, force: true })
}
