import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { settingValue } from '../../../../../shared/settings/secret-files.ts'
import { countOf } from '../../count-of.ts'
import { checkClock, readReadiness, timeoutMs } from '../connection-checks.ts'
import { failedCheck, notChecked, passedCheck, warnedCheck } from '../finding.ts'
import { checkDatabaseClock } from './database-clock.ts'
import type { GoLive } from './go-live.ts'

const hourMs = 3_600_000
const maxBackupHours = 48
/** The check reads the whole file. */
const maxCheckMs = 600_000
const inServiceFolder = 'this is the npm package, without drivers. Run the command in the folder of the service.'

/** Compares the clocks of the service and of the database with that of this machine. */
export async function checkClocks({ baseUrl, env }: GoLive) {
  const url = settingValue('DATABASE_URL', env)
  const database =
    url === undefined
      ? notChecked('the clock of the database. Run the command with DATABASE_URL of the service.')
      : await withDrivers(() => checkDatabaseClock(url, () => Date.now()))
  return [await checkClock(new URL(baseUrl)), database]
}

/** Checks that a backup is complete, intact and of the last two days. */
export async function checkBackup({ backup, env }: GoLive) {
  if (backup === undefined) return notChecked('give the folder of the newest backup of SQLite: --backup FOLDER.')
  if (settingValue('DATABASE_URL', env)?.startsWith('postgres'))
    return notChecked('dumps of PostgreSQL cannot be read here. Restore the newest one into an empty database.')
  return withDrivers(async () => {
    const { databaseFile } = await import('../../../../../db/cli/backup-files.ts')
    const { readDamage } = await import('../../../../../db/engine/check-sqlite.ts')
    const { keyFiles } = await import('../../../../../shared/settings/key-files.ts')
    const file = join(backup, databaseFile)
    if (!existsSync(file)) return failedCheck(`${backup} has no ${databaseFile}. Run "npm run backup -- ${backup}"`)
    const { report, failure } = await readDamage(file, 'integrity_check', maxCheckMs)
    if (report === undefined) return failedCheck(`${file} cannot be checked: ${failure}`)
    if (report !== 'ok') return failedCheck(`${file} is damaged: ${report}. Make a new backup`)
    const missing = Object.values(keyFiles).filter((name) => !existsSync(join(backup, name)))
    // The time of a file has fractions of a millisecond, and can be later than this clock.
    const hours = Math.floor(Math.max(Date.now() - statSync(file).mtimeMs, 0) / hourMs)
    return [
      ...missing.map((name) =>
        warnedCheck(`${backup} has no ${name}. Without it, the backup is useless: store it too`),
      ),
      hours > maxBackupHours
        ? warnedCheck(`The backup is ${hours} hours old. Make one each day`)
        : passedCheck(`The database of the backup is intact, and ${countOf(hours, 'hour')} old`),
    ]
  })
}

/** Checks that the service runs in production with its limits for each address. */
export async function checkLimits({ env }: GoLive) {
  if (!env.PLATFORM_DOMAIN) return notChecked('run the command with the settings of a web process.')
  return withDrivers(async () => {
    const { readSettings } = await import('../../../../../shared/settings/settings.ts')
    const limits = ['LIMIT_ANONYMOUS_PER_MINUTE', 'LIMIT_FAILED_SECRETS_PER_MINUTE'] as const
    const values = readSettings([...limits, 'NODE_ENV', 'OUTBOUND_ALLOW_LOOPBACK'], env)
    const findings = [
      ...(values.NODE_ENV === 'production'
        ? []
        : [failedCheck(`NODE_ENV is ${values.NODE_ENV}. Only "production" has limits and JSON logs`)]),
      ...limits.flatMap((name) =>
        values[name] === 0 ? [failedCheck(`${name} is 0, which is no limit. Remove it`)] : [],
      ),
      ...(values.OUTBOUND_ALLOW_LOOPBACK
        ? [failedCheck('OUTBOUND_ALLOW_LOOPBACK lets tenants reach programs of this machine. Remove it')]
        : []),
    ]
    const rates = limits.map((name) => `${name} ${values[name] ?? 'default'}`)
    return findings.length > 0 ? findings : passedCheck(rates.join(', '))
  })
}

/** Checks that Redis writes to disk and evicts no keys. */
export async function checkRedis({ baseUrl, env }: GoLive) {
  // A service that does not answer is a finding of the check `service`.
  const readiness = await readReadiness(new URL(baseUrl)).catch(() => undefined)
  if (readiness?.queue === 'database') return passedCheck('The queues are in the database. The service needs no Redis')
  const url = settingValue('REDIS_URL', env)
  if (url === undefined) return notChecked('run the command with REDIS_URL of the service.')
  return withDrivers(async () => {
    const { connectPatient } = await import('../../../../../shared/jobs/redis.ts')
    const { faultsOfRedisSettings, readRedisSettings } = await import('../../../../../shared/jobs/redis-settings.ts')
    const redis = connectPatient(url)
    try {
      const settings = await withinTime(readRedisSettings(redis))
      const faults = faultsOfRedisSettings(settings)
      if (settings.isPersistent === undefined)
        return notChecked('Redis refuses CONFIG. Ask its provider for appendonly.')
      return faults.length > 0 ? faults.map(failedCheck) : passedCheck('Redis writes to disk and evicts no keys')
    } finally {
      redis.disconnect()
    }
  })
}

async function withinTime<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${timeoutMs / 1000} s`)), timeoutMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Does a check that imports drivers. The npm package has none. */
async function withDrivers<Result>(check: () => Promise<Result>) {
  try {
    return await check()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
      return notChecked(inServiceFolder)
    throw error
  }
}
