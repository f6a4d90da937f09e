import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, chownSync, constants, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { runVitest } from '../suite/run-vitest.ts'
import { freePort } from './redis.ts'

/** The server does not wait for disks, because its data are temporary. */
const defaults = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '400',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  log_min_messages: 'fatal',
  logging_collector: 'off',
}

function settingsOf(values: Record<string, string>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

export interface PostgresServer {
  url: string
  /** The id of the process whose children are the processes of connections. */
  readonly pid: number | undefined
  /** Kills the server. Its data stay. */
  kill(): Promise<void>
  /** Restarts the server on the same port. */
  start(): Promise<void>
  /** Ends the server and removes its data. */
  stop(): Promise<void>
}

/** A server on a free port, with a folder that is removed with it. */
export function startPostgres(extra: Record<string, string> = {}): Promise<PostgresServer> {
  const initdb = ['-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
  return startServer((data) => ['initdb', '-D', data, ...initdb], extra)
}

/** A standby that streams from the server of the URL, under this name. */
export function startStandby(
  primaryUrl: string,
  name: string,
  extra: Record<string, string> = {},
): Promise<PostgresServer> {
  const source = new URL(primaryUrl)
  source.searchParams.set('application_name', name)
  const backup = ['--write-recovery-conf', '--wal-method=stream', '--checkpoint=fast', '--no-sync', '-d', source.href]
  return startServer((data) => ['pg_basebackup', '-D', data, ...backup], extra)
}

async function startServer(
  create: (data: string) => [program: string, ...args: string[]],
  extra: Record<string, string>,
): Promise<PostgresServer> {
  const bin = findBinaries()
  const user = unprivilegedUser()
  const dir = mkdtempSync(join(tmpdir(), 'trustwright-postgres-'))
  if (user) chownSync(dir, user.uid, user.gid)
  const data = join(dir, 'data')
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    child = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...settingsOf({ ...defaults, ...extra })], {
      ...user,
      cwd: dir,
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true, // Ctrl-C is for the suite; the server ends after it
    })
    await answering(url, child)
  }
  async function kill(): Promise<void> {
    if (child && child.exitCode === null && child.kill('SIGQUIT')) await once(child, 'exit')
  }
  async function stop(): Promise<void> {
    await kill()
    rmSync(dir, { recursive: true, force: true })
  }
  try {
    const [program, ...args] = create(data)
    execFileSync(join(bin, program), args, { ...user, cwd: dir, stdio: ['ignore', 'ignore', 'inherit'] })
    await start()
    return {
      url,
      get pid() {
        return child?.pid
      },
      ...{ kill, start, stop },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Waits until a server of PostgreSQL, or a pooler in front of it, accepts a connection. Throws if its process ends. */
export async function answering(url: string, child: ChildProcess): Promise<void> {
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with exit code ${child.exitCode}\n${said}`)
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      return
    } catch {
      await sleep(50)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}

/** The newest version in the folders of Debian and Homebrew, or in PATH. */
function findBinaries(): string {
  const folders = ['/usr/lib/postgresql/*/bin', '/opt/homebrew/opt/postgresql@*/bin', '/usr/local/opt/postgresql@*/bin']
  const newestFirst = globSync(folders).sort((a, b) => versionOf(b) - versionOf(a))
  const onPath = (process.env.PATH ?? '').split(delimiter)
  const folder = [...newestFirst, ...onPath].find((bin) => ['initdb', 'postgres'].every((name) => isCommand(bin, name)))
  if (folder) return folder
  console.error(
    'There is no PostgreSQL on this machine. Install it, or name a server whose user may create databases with DATABASE_URL:\n\n  apt-get install -y postgresql\n',
  )
  process.exit(1)
}

function versionOf(folder: string): number {
  return Number(/(\d+)\/bin$/.exec(folder)?.[1] ?? 0)
}

function isCommand(folder: string, name: string): boolean {
  try {
    accessSync(join(folder, name), constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** PostgreSQL and PgBouncer refuse to run as root. */
export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string, name: string) =>
    Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
  for (const name of ['postgres', 'nobody']) {
    try {
      return { uid: idOf('-u', name), gid: idOf('-g', name) }
    } catch {
      // The user does not exist.
    }
  }
  throw new Error('run this as another user than root')
}

/** Runs vitest against the server of `DATABASE_URL`, or a private one that lasts as long as the run. Returns the exit code. */
export async function runOnPostgres(words: string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  const server = process.env.DATABASE_URL ? undefined : await startPostgres()
  try {
    return await runVitest(words, { ...env, DATABASE_URL: process.env.DATABASE_URL ?? server?.url })
  } finally {
    await server?.stop()
  }
}

/** `npm run test:postgres`: the tests that depend on the database, on PostgreSQL. Arguments go to vitest. */
if (import.meta.main) process.exit(await runOnPostgres(process.argv.slice(2)))
