import { delimiter, dirname } from 'node:path'
import { readDataLocations } from '../settings/config.ts'
import { rolesIn } from './service-processes.ts'

/** Returns the environment of each process by its name. Only a process that signs gets the key-encryption key. All use the Node of this process. */
export function environments(
  { KEY_ENCRYPTION_KEY, ...environment }: NodeJS.ProcessEnv,
  dataDir: string,
  redisUrl: string | undefined,
  provider: string | undefined,
): (name: string) => NodeJS.ProcessEnv {
  const path = [dirname(process.execPath), environment.PATH].join(delimiter)
  // There is no notice period: all processes stop together, so that a proxy has no other process.
  const env = {
    STOP_NOTICE_MS: '0',
    ...environment,
    DATA_DIR: dataDir,
    DATABASE_URL: readDataLocations({ ...environment, DATA_DIR: dataDir }).databaseUrl,
    ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
    PATH: path,
  }
  const origins = [environment.OUTBOUND_ALLOW_ORIGINS, provider].filter(Boolean).join(',')
  return (name) => {
    const roles = rolesIn(name)
    return {
      ...env,
      ...(roles.length > 0 && { ROLES: roles.join(',') }),
      ...(roles.includes('signing') && KEY_ENCRYPTION_KEY && { KEY_ENCRYPTION_KEY }),
      ...(roles.includes('web') && { OUTBOUND_ALLOW_ORIGINS: origins }),
    }
  }
}
