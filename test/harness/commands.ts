import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { inherited } from './started.ts'

/** Settings that a process needs in production. */
export const required = {
  NODE_ENV: 'production',
  PLATFORM_DOMAIN: 'localhost:3000',
  SIGNING_OPS_PORT: '0',
  WORKER_OPS_PORT: '0',
  STOP_NOTICE_MS: '0',
  SERVICE_SECRET: randomBytes(32).toString('base64'),
  KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
}

/** A part of the log line of a process that waits for a dependency. */
export const waiting = '"msg":"waiting for a dependency"'

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
  /** The output and the errors together. */
  output: string
}

export interface Command {
  process: ChildProcess
  /** Returns what the command has printed so far. */
  output(): string
  ended: Promise<Ended>
}

/** Runs entry points of the service as processes, with `common` in their environment. `end` kills those that still run. */
export function createCommands(common: Record<string, string>) {
  const started: ChildProcess[] = []
  function start(words: string, env: Record<string, string>): Command {
    const child = spawn(process.execPath, words.split(' '), {
      env: { ...inherited(), ...common, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    started.push(child)
    const printed = { stdout: '', stderr: '', output: '' }
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        printed[name] += text
        printed.output += text
      })
    }
    const ended = once(child, 'close').then(([code]): Ended => ({ code, ...printed }))
    return { process: child, output: () => printed.output, ended }
  }
  return {
    start,
    run: (words: string, env: Record<string, string>) => start(words, env).ended,
    end() {
      for (const child of started) child.kill('SIGKILL')
    },
  }
}
