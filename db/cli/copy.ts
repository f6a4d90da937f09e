import '../../shared/quick-resolve.ts'
import { useCompileCache } from '../../shared/process/compile-cache.ts'
import { exitIfMisconfigured, Misconfigured } from '../../shared/process/dependency.ts'
import { readDataLocations } from '../../shared/settings/config.ts'

/**
 * `npm run db:copy -- URL`: copies the database of `DATABASE_URL` to an empty database of the other kind, for a service that was stopped.
 * If it was killed, the same command continues. See docs/grow-and-move.md.
 */
const usage = 'Name the target: npm run db:copy -- postgres://USER:PASSWORD@HOST/DATABASE, or file:PATH for SQLite.'

const { databaseUrl, dataDir } = exitIfMisconfigured(() => readDataLocations(process.env))
const to = exitIfMisconfigured(() => readTarget(process.argv.slice(2)))
useCompileCache(dataDir)
const { copyDatabase } = await import('../copy/copy-database.ts')

try {
  await copyDatabase({ from: databaseUrl, to, print: (line) => console.log(line) })
  console.log('Set DATABASE_URL to it for every process, with the same SERVICE_SECRET and KEY_ENCRYPTION_KEY.')
  console.log('Do not start the service on the old database again: see docs/grow-and-move.md.')
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

function readTarget(words: readonly string[]): string {
  const [url = '', ...more] = words
  if (more.length > 0 || !/^(file:|postgres(ql)?:\/\/)./.test(url)) throw new Misconfigured(usage)
  return url
}
