import type { Log } from '../../shared/log/log.ts'
import { createThrottledLog } from '../../shared/log/throttled-log.ts'
import type { Config } from '../../shared/settings/config.ts'
import type { DatabaseOptions } from '../client.ts'

/** Returns the standby of the settings. Logs at most one line in 5 s when reads go to the primary. */
export function standbyOptions(
  { databaseReadUrl: url }: Pick<Config, 'databaseReadUrl'>,
  log: Pick<Log, 'warn'>,
): DatabaseOptions['standby'] {
  if (url === undefined) return undefined
  const write = createThrottledLog((fields: { reason: string }) => log.warn(fields, 'reads go to the primary database'))
  return { url, warn: (reason) => write('standby', { reason }) }
}
