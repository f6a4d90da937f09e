import '../../shared/quick-resolve.ts'
import { createLog } from '../../shared/log/log.ts'
import { useCompileCache } from '../../shared/process/compile-cache.ts'
import { exitIfMisconfigured } from '../../shared/process/dependency.ts'
import { readConfig } from '../../shared/settings/config.ts'

/**
 * `node api/cli/init.ts`: creates the platform and prints its client once. `--new-client` creates and prints another client. With
 * `--delete-others` it also deletes the existing clients, for a lost or leaked secret. `--demo` also creates
 * the demo tenant, and writes the result to `DATA_DIR/demo.json` instead. A signing process must run or start within 30 seconds,
 * because it generates the keys. The command waits for it as long as it runs, and `--demo` without a limit.
 */
const args = process.argv.slice(2)
const unknown = args.filter((arg) => !['--demo', '--new-client', '--delete-others'].includes(arg))
if (unknown.length > 0 || (args.includes('--delete-others') && !args.includes('--new-client'))) {
  console.error('node api/cli/init.ts [--new-client [--delete-others]]: creates the platform, or another client of it')
  process.exit(1)
}

const config = exitIfMisconfigured(() => readConfig(process.env))
const log = createLog({ process: 'init', level: config.logLevel, pretty: !config.production })
useCompileCache(config.dataDir)
const { prepare } = await import('./prepare.ts')
await prepare(args, config, log)
