import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dialect } from '../../db/columns.ts'
import { migrateDatabase } from '../../db/engine/migrate-database.ts'
import { type DemoFacts, readDemoFacts } from '../../shared/launcher/demo-facts.ts'
import type { HeldFacts } from '../fixtures/fill-data-folder.ts'
import { newServerDatabase } from './database.ts'
import { eventually } from './harness.ts'
import { freePort } from './redis.ts'
import { inherited } from './started.ts'

export const dataFolders = 'test/fixtures/data-folders'

/** A running `npm start` on a copy of a data folder. */
export interface StartedFolder {
  origin: string
  dir: string
  databaseUrl: string
  facts: DemoFacts
  held: HeldFacts
  output(): string
  [Symbol.asyncDispose](): Promise<void>
}

/** The database of a data folder in the schema of this version, with its subjects. */
export async function openedData(version: string): Promise<{
  url: string
  facts: DemoFacts
  held: HeldFacts
  drop(): Promise<void>
}> {
  const dir = mkdtempSync(join(tmpdir(), 'trustwright-data-'))
  cpSync(join(dataFolders, version, dialect), dir, { recursive: true })
  const { url, drop } = await databaseOf(dir)
  await migrateDatabase(url)
  return {
    url,
    ...factsOf(dir),
    async drop() {
      await drop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** Copies the folder of `version`, with its database, and starts the current version on it. */
export async function startDataFolder(version: string): Promise<StartedFolder> {
  await using started = new AsyncDisposableStack()
  const dir = started.adopt(mkdtempSync(join(tmpdir(), 'trustwright-folder-')), (path) =>
    rmSync(path, { recursive: true, force: true }),
  )
  cpSync(join(dataFolders, version, dialect), dir, { recursive: true })
  const { facts, held } = factsOf(dir)
  const database = started.adopt(await databaseOf(dir), ({ drop }) => drop())
  const { origin, output } = await launch(started, dir, database.url, facts)
  const running = started.move()
  const dispose = () => running.disposeAsync()
  return { origin, dir, databaseUrl: database.url, facts, held, output, [Symbol.asyncDispose]: dispose }
}

export function factsOf(dir: string): { facts: DemoFacts; held: HeldFacts } {
  const facts = readDemoFacts(dir)
  if (!facts) throw new Error('the folder has no demo.json')
  return { facts, held: JSON.parse(readFileSync(join(dir, 'held.json'), 'utf8')) }
}

async function databaseOf(dir: string): Promise<{ url: string; drop(): Promise<void> }> {
  if (dialect === 'sqlite') return { url: `file:${join(dir, 'trustwright.db')}`, drop: async () => undefined }
  return newServerDatabase(
    `test_${randomUUID().replaceAll('-', '')}`,
    readFileSync(join(dir, 'trustwright.sql'), 'utf8'),
  )
}

/** Runs `npm start` on a folder and leaves its changes. */
export async function startOn(dir: string, facts: DemoFacts): Promise<{ origin: string } & AsyncDisposable> {
  await using started = new AsyncDisposableStack()
  const { origin } = await launch(started, dir, `file:${join(dir, 'trustwright.db')}`, facts)
  const running = started.move()
  return { origin, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

async function launch(started: AsyncDisposableStack, dir: string, databaseUrl: string, { baseUrl }: DemoFacts) {
  const port = await freePort()
  const child = spawn(process.execPath, ['shared/launcher/start.ts'], {
    env: {
      ...inherited(),
      PORT: String(port),
      OPS_PORT: String(await freePort()),
      PROVIDER_PORT: '0',
      SIGNING_OPS_PORT: '0',
      WORKER_OPS_PORT: '0',
      OUTBOUND_ALLOW_LOOPBACK: '1',
      CREDENTIAL_DEADLINE_MS: '60000', // longer than a request takes on any machine
      DATA_DIR: dir,
      DATABASE_URL: databaseUrl,
      PLATFORM_DOMAIN: new URL(baseUrl).host,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.adopt(child, stop)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  }
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`it ended:\n${text}`)
    return text.includes('Trustwright runs')
  })
  return { origin: `http://127.0.0.1:${port}`, output: () => text }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
