import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { eventually } from './harness.ts'
import { freePort } from './redis.ts'
import { inherited } from './started.ts'

export interface Launcher {
  process: ChildProcess
  output(): string
  ended: Promise<number | null>
}

export interface StartPorts {
  port: number
  opsPort: number
  providerPort: number
  workerPorts: { SIGNING_OPS_PORT: string; WORKER_OPS_PORT: string }
}

export interface NpmStart extends StartPorts {
  /** Runs `npm start`, or another command, in `dir`. */
  launch(env?: Record<string, string>, command?: string[]): Launcher
  ready(launcher: Launcher): Promise<void>
  /** Returns the processes that were started for `dir`. It is in their environment or, for Redis, in their title. */
  running(): { pid: number; words: string }[]
  /** Kills all processes, and waits for their end. */
  end(): Promise<void>
}

/** Prepares starts in a folder, with ports of their own. */
export async function createNpmStart(dir: string, databaseUrl?: string): Promise<NpmStart> {
  const [port, opsPort, providerPort] = [await freePort(), await freePort(), await freePort()]
  const workerPorts = { SIGNING_OPS_PORT: String(await freePort()), WORKER_OPS_PORT: String(await freePort()) }
  const started: ChildProcess[] = []
  const running = () => allProcesses().filter(({ words }) => words.includes(dir))

  function launch(
    env: Record<string, string> = {},
    command = [process.execPath, 'shared/launcher/start.ts'],
  ): Launcher {
    const [file = '', ...args] = command
    const child = spawn(file, args, {
      env: {
        ...inherited(),
        ...(process.env.HOME && { HOME: process.env.HOME }),
        DATA_DIR: dir,
        PORT: String(port),
        OPS_PORT: String(opsPort),
        PROVIDER_PORT: String(providerPort),
        CREDENTIAL_DEADLINE_MS: '60000', // longer than a request takes on any machine
        ...workerPorts,
        DATABASE_URL: databaseUrl,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    started.push(child)
    let text = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
    }
    return { process: child, output: () => text, ended: once(child, 'close').then(([code]) => code) }
  }

  async function ready(launcher: Launcher): Promise<void> {
    await eventually(async () => {
      if (launcher.process.exitCode !== null) throw new Error(`it ended:\n${launcher.output()}`)
      const response = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined)
      return response?.status === 200
    })
  }

  async function end(): Promise<void> {
    for (const child of started) child.kill('SIGKILL')
    for (const { pid } of running()) process.kill(pid, 'SIGKILL')
    await eventually(async () => running().length === 0)
  }

  return { port, opsPort, providerPort, workerPorts, launch, ready, running, end }
}

function allProcesses(): { pid: number; words: string }[] {
  if (!existsSync('/proc/self/environ')) {
    const lines = execFileSync('ps', ['axeww', '-o', 'pid=,command='], { encoding: 'utf8' }).trim().split('\n')
    return lines.map((line) => ({ pid: Number.parseInt(line, 10), words: line }))
  }
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map((pid) => {
    const words = `${readProc(pid, 'cmdline')} ${readProc(pid, 'environ')}`.replaceAll('\0', ' ')
    return { pid: Number(pid), words }
  })
}

/** Empty for a process that has ended or belongs to another user. */
function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
