import { resolve } from 'node:path'
import type { Config } from '../settings/config.ts'
import type { ConsoleLinks } from './console-links.ts'
import { environments } from './environments.ts'
import { finishStart } from './finish-start.ts'
import { lockFolder } from './folder-lock.ts'
import { onceOrphaned } from './once-orphaned.ts'
import { printError } from './print-error.ts'
import { providerAddress } from './provider.ts'
import { createSupervisor } from './supervisor.ts'

/** The rest of the launcher in the only process of the service. */
export interface LauncherInService {
  /** Ends the start after all roles have started. `consoleLinks` are those of the demo tenant. */
  finish(consoleLinks: ConsoleLinks | undefined): Promise<void>
}

/**
 * Locks the data folder, and stops the process when the terminal is closed, when npm, its parent, has ended, or when the development provider has. Throws
 * StartupError if another `npm start` uses the folder.
 */
export function continueLauncher(config: Config, parent: number): LauncherInService {
  const lock = config.queueIn === 'database' ? lockFolder(resolve(config.dataDir)) : undefined
  process.on('exit', () => lock?.release()) // refers to the lock, so that it is not collected
  const stop = () => void process.kill(process.pid, 'SIGTERM')
  process.on('SIGHUP', stop)
  if (process.env.npm_lifecycle_event) onceOrphaned(parent, stop)
  const supervisor = createSupervisor()
  supervisor.failure.catch((error: unknown) => {
    process.exitCode = printError(error)
    stop()
  })
  const { REDIS_URL: redisUrl } = process.env
  const envOf = environments(process.env, resolve(config.dataDir), redisUrl, providerAddress(config))
  return {
    finish: (consoleLinks) => finishStart(supervisor, config, { envOf, consoleLinks: () => consoleLinks }),
  }
}
