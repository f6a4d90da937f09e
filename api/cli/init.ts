import '../../db/engine/quick-drizzle.ts'
import { useCompileCache } from '../../shared/compile-cache.ts'
import { readConfig } from '../../shared/config.ts'
import { exitIfMisconfigured } from '../../shared/dependency.ts'
import { createLog } from '../../shared/log.ts'

/**
 * `node api/cli/init.ts`: makes the platform and prints its client once; `--new-client` prints another one, and with
 * `--delete-others` ends those that were, for when a secret was lost or has leaked. With `--demo`, which is what `npm start` does, also the demo tenant, and the facts go to `DATA_DIR/demo.json` instead. A
 * signing process must run, or come up within half a minute: keys are made there.
 */
const words = process.argv.slice(2)
const unknown = words.filter((word) => !['--demo', '--new-client', '--delete-others'].includes(word))
if (unknown.length > 0 || (words.includes('--delete-others') && !words.includes('--new-client'))) {
  console.error('node api/cli/init.ts [--new-client [--delete-others]]: makes the platform, or another client of it')
  process.exit(1)
}

const config = exitIfMisconfigured(() => readConfig(process.env))
const log = createLog({ process: 'init', level: config.logLevel, pretty: !config.production })
useCompileCache(config.dataDir)
const { prepare } = await import('../prepare.ts')
await prepare(words, config, log)
