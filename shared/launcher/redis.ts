import { randomBytes } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Redis } from 'ioredis'
import { connectFailFast, connectPatient } from '../jobs/redis.ts'
import { findFreePort } from './ports.ts'
import type { Supervisor } from './supervisor.ts'
import { StartupProblem } from './trouble.ts'

/** The name of the connection that `npm start` holds for as long as it runs. */
const holder = 'trustwright-launcher'
/** The shortest limit among systems is 104 bytes, the last one being 0. */
const longestSocketPath = 100

/**
 * Starts a redis-server of this service's own, with its data in `dataDir`, and waits until it has loaded them. One that a
 * killed run left behind is stopped first. Returns its URL; throws Trouble without a `redis-server`, or when another
 * `npm start` uses this folder.
 */
export async function startRedis(supervisor: Supervisor, dataDir: string, stopWithinMs: number): Promise<string> {
  if (!isCommand('redis-server')) throw new StartupProblem(missingRedis())
  const dir = join(dataDir, 'redis')
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  await endAbandoned(dir)
  const { url, directives } = await choosePlace(dir)
  rmSync(join(dir, 'redis.log'), { force: true })
  writeFileSync(join(dir, 'url'), url, { mode: 0o600 })
  const input = configuration({ ...common, ...directives, dir, logfile: join(dir, 'redis.log') })
  supervisor.start({ name: 'redis', command: 'redis-server -', env: process.env, stopWithinMs, input, quiet: true })
  const redis = connectPatient(url)
  redis.on('ready', () => void redis.client('SETNAME', holder).catch(() => undefined))
  await redis.ping()
  return url
}

/** Appended to disk and never evicted: jobs are not a cache. */
const common = {
  appendonly: 'yes',
  appendfsync: 'everysec',
  save: '',
  'maxmemory-policy': 'noeviction',
  daemonize: 'no',
}

/** A socket that only this user can open; where its path would be too long, a port with a password. */
async function choosePlace(dir: string): Promise<{ url: string; directives: Record<string, string> }> {
  const socket = join(dir, 'redis.sock')
  if (Buffer.byteLength(socket) <= longestSocketPath) {
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

/** Two servers on one folder would destroy its data. */
async function endAbandoned(dir: string): Promise<void> {
  const file = join(dir, 'url')
  if (!existsSync(file)) return
  const redis = connectFailFast(readFileSync(file, 'utf8'))
  try {
    if (!(await isReached(redis)) || !(await serves(redis, dir))) return
    if (String(await redis.client('LIST')).includes(` name=${holder} `)) {
      throw new StartupProblem(
        `Another \`npm start\` uses ${join(dir, '..')}. Stop it, or choose another folder with DATA_DIR.`,
      )
    }
    const closed = new Promise((resolve) => redis.once('close', resolve))
    redis.shutdown().catch(() => undefined) // answers by closing the connection
    await closed
  } finally {
    redis.disconnect()
  }
}

function isReached(redis: Redis): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  redis.once('ready', () => resolve(true))
  redis.once('close', () => resolve(false))
  return promise
}

/** The port may be somebody else's by now. */
async function serves(redis: Redis, dir: string): Promise<boolean> {
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
  return `There is no redis-server on this machine. Install it, or name one with REDIS_URL:\n\n  ${install}\n`
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
