import '../shared/quick-resolve.ts'
import { createLog } from '../shared/log/log.ts'
import { useCompileCache } from '../shared/process/compile-cache.ts'
import { exitIfMisconfigured } from '../shared/process/dependency.ts'
import { readConfig } from '../shared/settings/config.ts'
import { loadTracing } from '../shared/tracing/load.ts'

/** `node api/main.ts`: runs the web process. Checks the settings before it loads the other modules, which takes over a second. */
const config = exitIfMisconfigured(() => readConfig(process.env))
const traces = await loadTracing(process.env, 'web')
const log = createLog({ process: 'web', level: config.logLevel, pretty: !config.production, fields: traces.fields })
traces.reportTo(log)
log.info('starting')
useCompileCache(config.dataDir)
const { serve } = await import('./serve.ts')
await serve(config, log)
