import { randomBytes } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { connectFailFast, connectPatient, type RedisConnection } from '../jobs/redis.ts'
import { folderInUse } from './folder-lock.ts'
import { findFreePort } from './ports.ts'
import { StartupError } from './startup-error.ts'
import type { Supervisor } from './supervisor.ts'

/** The name of the connection that `npm start` keeps open while it runs. */
const launcherName = 'trustwright-launcher'
/** The lowest limit of an operating system is 104 bytes, with a 0 at the end. */
const maxSocketPathBytes = 100

/**
 * Starts a redis-server with its data in `dataDir`, and waits until it has loaded them. Stops a server that a killed `npm start` left
 * running. Returns the URL. Throws StartupError without a `redis-server`, or if another `npm start` uses the folder.
 */
export async function startRedis(supervisor: Supervisor, dataDir: string, stopWithinMs: number): Promise<string> {
  if (!isCommand('redis-server')) throw new StartupError(missingRedis())
  const dir = join(dataDir, 'redis')
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  await stopAbandoned(dir)
  const { url, directives } = await chooseAddress(dir)
  rmSync(join(dir, 'redis.log'), { force: true })
  writeFileSync(join(dir, 'url'), url, { mode: 0o600 })
  const input = configuration({ ...common, ...directives, dir, logfile: join(dir, 'redis.log') })
  supervisor.start({ name: 'redis', command: 'redis-server -', env: process.env, stopWithinMs, input, quiet: true })
  const redis = connectPatient(url)
  redis.on('ready', () => void redis.client('SETNAME', launcherName).catch(() => undefined))
  await redis.ping()
  return url
}

/** Redis writes all data to disk and evicts no keys, because they are jobs and not a cache. */
const common = {
  appendonly: 'yes',
  appendfsync: 'everysec',
  save: '',
  'maxmemory-policy': 'noeviction',
  daemonize: 'no',
}

/** Returns a socket that only this user can open. If its path is too long, returns a port with a password. */
async function chooseAddress(dir: string): Promise<{ url: string; directives: Record<string, string> }> {
  const socket = join(dir, 'redis.sock')
  if (Buffer.byteLength(socket) <= maxSocketPathBytes) {
    return { url: `unix://${encodeURI(socket)}`, directives: { port: '0', unixsocket: socket, unixsocketperm: '700' } }
  }
  const port = String(await findFreePort())
  const password = randomBytes(24).toString('hex')
  return {
    url: `redis://:${password}@127.0.0.1:${port}`,
    directives: { port, bind: '127.0.0.1', requirepass: password },
  }
}

function configuration(directives: Record<string, string>): string {
  return Object.entries(directives)
    .map(([name, value]) => `${name} "${value.replaceAll(/["\\]/g, '\\$&')}"\n`)
    .join('')
}

/** Stops a server that uses the folder. Two servers would destroy the data. */
async function stopAbandoned(dir: string): Promise<void> {
  const file = join(dir, 'url')
  if (!existsSync(file)) return
  const redis = connectFailFast(readFileSync(file, 'utf8'))
  try {
    if (!(await isReached(redis)) || !(await serves(redis, dir))) return
    if (String(await redis.client('LIST')).includes(` name=${launcherName} `)) {
      throw new StartupError(folderInUse(join(dir, '..')))
    }
    const closed = new Promise((resolve) => redis.once('close', resolve))
    redis.shutdown().catch(() => undefined) // answers by closing the connection
    await closed
  } finally {
    redis.disconnect()
  }
}

function isReached(redis: RedisConnection): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  redis.once('ready', () => resolve(true))
  redis.once('close', () => resolve(false))
  return promise
}

/** Returns whether the server uses the folder. Another program may use the port now. */
async function serves(redis: RedisConnection, dir: string): Promise<boolean> {
  const answer = await redis.config('GET', 'dir').catch(() => [])
  return Array.isArray(answer) && answer[1] === dir
}

const installers = {
  'apt-get': 'apt-get install -y redis-server',
  dnf: 'dnf install -y redis',
  apk: 'apk add redis',
  pacman: 'pacman -S --noconfirm redis',
  brew: 'brew install redis',
}

function missingRedis(): string {
  const [, install = installers['apt-get']] = Object.entries(installers).find(([name]) => isCommand(name)) ?? []
  return `The command redis-server is missing. Install it, or set REDIS_URL to a Redis:\n\n  ${install}\n`
}

function isCommand(name: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
