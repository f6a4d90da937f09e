import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { eventually } from './harness.ts'
import { freePort } from './redis.ts'
import { inherited } from './started.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const path = [dirname(process.execPath), process.env.PATH].join(delimiter)

/** Returns the commands of a page: its blocks of `sh`. */
export const blocksOf = (page: string) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)

/** Links what the commands of pages use into a folder, in which they run. */
export function linkProject(dir: string): void {
  for (const name of ['api', 'examples', 'node_modules', 'package.json', 'shared'])
    symlinkSync(join(root, name), join(dir, name))
  mkdirSync(join(dir, '.data'))
}

/** Runs `npm start` with the data of the folder. Returns when it serves requests. */
export async function startDocumented(dir: string, port: number, env: Record<string, string> = {}) {
  const service = spawn('npm', ['start'], {
    cwd: root,
    env: {
      ...{ ...inherited(), PATH: path, HOME: dir, DATA_DIR: join(dir, '.data'), ...env },
      PORT: String(port),
      OPS_PORT: String(await freePort()),
      SIGNING_OPS_PORT: '0',
      WORKER_OPS_PORT: '0',
      PROVIDER_PORT: String(await freePort()),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const started = readAll(service)
  await eventually(async () => started().includes('Three commands to try'))
  expect(started()).toContain('Trustwright is starting')
  expect(started()).not.toContain('WARNING')
  return service
}

/** Runs the blocks in one shell, which ends at the first error. The shell leads its own process group. */
export function startShell(dir: string, blocks: readonly string[], env: Record<string, string> = {}) {
  return spawn('bash', ['--norc', '-euo', 'pipefail', '-c', blocks.map((block) => `echo; ${block}`).join('\n')], {
    cwd: dir,
    env: { ...inherited(), PATH: path, HOME: dir, ...env },
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
}

/** Ends what still runs: programs that the shell started in the background, and the service. */
export async function endDocumented(running: { service: ChildProcess | undefined; shell: ChildProcess | undefined }) {
  const { service, shell } = running
  if (shell?.pid && isGroupRunning(shell.pid)) process.kill(-shell.pid, 'SIGKILL')
  if (service?.exitCode !== null) return
  service.kill('SIGTERM')
  await once(service, 'close')
}

function isGroupRunning(group: number): boolean {
  try {
    return process.kill(-group, 0)
  } catch {
    return false
  }
}

export function readAll({ stdout, stderr }: ChildProcess): () => string {
  let text = ''
  for (const stream of [stdout, stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  return () => text
}
