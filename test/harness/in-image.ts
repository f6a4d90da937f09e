import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildImage } from '../../docs/deploy/image/build.ts'
import { runVitest } from '../suite/run-vitest.ts'
import { unpackImage } from './image-root.ts'
import { runOnPostgres } from './postgres.ts'

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
  const args = process.argv.slice(2)
  const isPostgres = args.includes('--postgres')
  const files = args.filter((word) => word !== '--postgres')
  const words = files.length > 0 ? files : defaults
  const env = { TEST_IMAGE_ROOT: root }
  process.exitCode = isPostgres ? await runOnPostgres(words, env) : await runVitest(words, env)
} finally {
  rmSync(dir, { recursive: true, force: true })
}
