import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pgbouncerPath } from './pgbouncer-path.ts'
import { answering, unprivilegedUser } from './postgres.ts'
import { freePort } from './redis.ts'

export interface Pgbouncer {
  /** Returns the URL of a database of the server through PgBouncer. */
  addressOf(databaseUrl: string): string
  kill(): Promise<void>
  start(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts PgBouncer in front of the server of a URL, with these settings of its section `[pgbouncer]`. */
export async function startPgbouncer(serverUrl: string, settings: Record<string, string | number>): Promise<Pgbouncer> {
  const user = unprivilegedUser()
  const server = new URL(serverUrl)
  const dir = mkdtempSync(join(tmpdir(), 'trustwright-pgbouncer-'))
  const port = await freePort()
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: join(dir, 'users.txt'),
    max_client_conn: 400,
    ...settings,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`)
  const section = ['[databases]', `* = host=${server.hostname} port=${server.port}`, '[pgbouncer]', ...lines]
  writeFileSync(join(dir, 'pgbouncer.ini'), `${section.join('\n')}\n`)
  writeFileSync(join(dir, 'users.txt'), `"${server.username}" "${decodeURIComponent(server.password)}"\n`)
  if (user) for (const path of ['', 'pgbouncer.ini', 'users.txt']) chownSync(join(dir, path), user.uid, user.gid)
  let child: ChildProcess | undefined
  const addressOf = (databaseUrl: string) => {
    const url = new URL(databaseUrl)
    url.host = `127.0.0.1:${port}`
    return url.href
  }
  async function start(): Promise<void> {
    child = spawn(pgbouncerPath ?? 'pgbouncer', [join(dir, 'pgbouncer.ini')], { ...user, cwd: dir, stdio: 'ignore' })
    await answering(addressOf(serverUrl), child)
  }
  async function kill(): Promise<void> {
    if (child && child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit')
  }
  await start()
  return {
    ...{ addressOf, kill, start },
    async [Symbol.asyncDispose]() {
      await kill()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
