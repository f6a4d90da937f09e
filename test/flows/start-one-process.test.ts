import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newDatabase } from '../harness/database.ts'
import { eventually } from '../harness/harness.ts'
import { createNpmStart, type Launcher, type NpmStart } from '../harness/npm-start.ts'
import { freePort } from '../harness/redis.ts'

/** `npm start` with `ROLES=all`. The launcher becomes the only process of the service. */
const dir = mkdtempSync(join(tmpdir(), 'trustwright-one-process-'))
const roles = { ROLES: 'all' }
const withoutProvider = { ...roles, PROVIDER_PORT: '0' }
let npmStart: NpmStart
let database: Awaited<ReturnType<typeof newDatabase>> | undefined

beforeAll(async () => {
  database = process.env.DATABASE_URL ? await newDatabase(dir) : undefined
  npmStart = await createNpmStart(dir, database?.url)
})

afterAll(async () => {
  await npmStart.end()
  await database?.drop()
  rmSync(dir, { recursive: true, force: true })
})

/** Waits for the addresses, which are printed last. A console that is built already adds nothing. */
async function printed(launcher: Launcher, text: string): Promise<void> {
  await npmStart.ready(launcher)
  await eventually(async () => launcher.output().includes(text))
}

/** The programs of the processes that run for the folder. */
const programs = () =>
  npmStart
    .running()
    .map(({ words }) => words)
    .filter((words) => !words.includes('api/console/build.ts'))

test('the launcher becomes the only process of the service, which prints the addresses and locks the folder', async () => {
  const launcher = npmStart.launch(withoutProvider)
  await printed(launcher, '.well-known/openid-credential-issuer')
  expect(programs()).toEqual([expect.stringContaining('dist/server.js api/combined/main.ts --demo --launched-by=')])
  expect(npmStart.running().some(({ pid }) => pid === launcher.process.pid)).toBe(true)

  const { baseUrl } = JSON.parse(readFileSync(join(dir, 'demo.json'), 'utf8'))
  expect(launcher.output()).toContain(`${baseUrl}/console/#code=`)
  const ports = { PORT: String(await freePort()), OPS_PORT: String(await freePort()) }
  const second = npmStart.launch({ ...withoutProvider, ...ports })
  expect(await second.ended).toBe(1)
  expect(second.output()).toContain(`Another \`npm start\` uses ${dir}`)

  // As when a terminal and npm both pass on a Ctrl-C. Two of the same signal could arrive as one.
  launcher.process.kill('SIGINT')
  launcher.process.kill('SIGTERM')
  expect(await launcher.ended).toBe(0)
  expect(programs()).toEqual([])
})

test('the end of the terminal stops the process as Ctrl-C does', async () => {
  const launcher = npmStart.launch(withoutProvider)
  await printed(launcher, '.well-known/openid-credential-issuer')
  launcher.process.kill('SIGHUP')
  expect(await launcher.ended).toBe(0)
})

test('the process ends when npm, which started it, was killed', { tags: 'once' }, async () => {
  const launcher = npmStart.launch(withoutProvider, ['npm', 'start'])
  await printed(launcher, '.well-known/openid-credential-issuer')
  launcher.process.kill('SIGKILL')
  await eventually(async () => programs().length === 0)
})

test('the process runs the development provider, and stops with a message when the provider ends', {
  tags: 'once',
}, async () => {
  const launcher = npmStart.launch(roles)
  await printed(launcher, 'people sign in at')
  const issuer = `http://127.0.0.1:${npmStart.providerPort}`
  await eventually(async () => (await fetch(`${issuer}/.well-known/openid-configuration`).catch(() => undefined))?.ok)
  const provider = npmStart.running().find(({ words }) => words.includes('identity-provider-process.ts'))
  expect(provider?.words).not.toContain('KEY_ENCRYPTION_KEY')
  expect(programs()).toHaveLength(2)
  process.kill(provider?.pid ?? 0, 'SIGKILL')
  expect(await launcher.ended).toBe(1)
  expect(launcher.output()).toContain('The process "provider" was ended by SIGKILL. All other processes are stopped.')
})

test('in production the process prints the command that creates the client of the platform, with the secret in its file', {
  tags: 'once',
}, async () => {
  const dataDir = join(dir, 'production')
  mkdirSync(dataDir)
  const env = { NODE_ENV: 'production', PLATFORM_DOMAIN: 'issuer.example', PUBLIC_SCHEME: 'http', DATA_DIR: dataDir }
  const launcher = npmStart.launch({ ...roles, ...env })
  await printed(launcher, 'node api/cli/init.ts')
  const secretFile = join(dataDir, 'service-secret')
  expect(launcher.output()).toContain(`SERVICE_SECRET="$(cat '${secretFile}')"`)
  expect(launcher.output()).not.toContain(readFileSync(secretFile, 'utf8').trim())
  launcher.process.kill('SIGTERM')
  expect(await launcher.ended).toBe(0)
})
