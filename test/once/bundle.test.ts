import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer'
import { buildServer } from '../../api/cli/build-server.ts'
import {
  buildIfChanged,
  bundleEntry,
  bundleFile,
  commandOfSources,
  digestOfSources,
  isBundleCurrent,
} from '../../shared/launcher/bundle.ts'
import { createCommands } from '../harness/commands.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { type Processes, startProcesses } from '../harness/processes.ts'
import { freePort } from '../harness/redis.ts'
import { newWallet } from '../wallets/wallet.ts'

const root = join(import.meta.dirname, '../..')
const dir = mkdtempSync(join(tmpdir(), 'trustwright-bundle-'))
const commands = createCommands({ DATA_DIR: dir })
let service: Processes

beforeAll(async () => {
  service = await startProcesses({}, { variant: 'procfile' })
})
afterAll(async () => {
  commands.end()
  await service?.[Symbol.asyncDispose]()
  rmSync(dir, { recursive: true, force: true })
})

test('the bundle is current after a build, and not built again', async () => {
  expect(isBundleCurrent(root)).toBe(true)
  expect(await buildServer()).toBe(false)
  expect(existsSync(join(root, bundleFile))).toBe(true)
})

// V8 keeps a text with other characters in memory at twice its size.
test('the files of the bundle have ASCII characters only', () => {
  const folder = join(root, 'dist', partsFolder())
  const files = globSync('*.js', { cwd: folder })
  expect(files).toContain('main.js')
  const others = (file: string) => /.{0,20}[^\0-\x7f].{0,20}/.exec(readFileSync(join(folder, file), 'utf8'))
  expect(files.map((file) => others(file)?.[0]).filter(Boolean)).toEqual([])
})

/** Packages that most installations never use, and the drivers of databases, of which a process loads one. */
const onDemand = ['pg', 'better-sqlite3', '@opentelemetry/sdk-trace', 'zxing-wasm', 'jsonld', 'cron-parser', 'luxon']

test.each(['api/serve.ts', 'workers/run-worker.ts'])('%s loads rarely used packages at their first use', (program) => {
  const packages = packagesOf(program)
  expect(packages).toEqual(expect.arrayContaining(['bullmq', 'drizzle-orm', 'undici']))
  expect(packages.filter((name) => onDemand.includes(name))).toEqual([])
})

test('the processes of the sources issue a credential', async () => {
  await using fromSources = await startProcesses({}, { variant: 'sources' })
  const { tenant, origin } = fromSources
  const offer = await newOffer(tenant, [await compactConfiguration(tenant)])
  expect(await (await newWallet(tenant, origin, offer.uri)).collect()).toMatchObject({ status: 200 })
})

test('the processes of the bundle issue a credential, and read QR codes and JSON-LD on threads', async () => {
  const { tenant, origin } = service
  const offer = await newOffer(tenant, [await compactConfiguration(tenant)])
  const { status, body } = await (await newWallet(tenant, origin, offer.uri)).collect()
  expect(status).toBe(200)
  const { credential } = body.credentials[0]

  const form = new FormData()
  form.append('file', new Blob([Uint8Array.from(await qrCode(credential))]), 'credential')
  const encoded = new Response(form)
  const image = Buffer.from(await encoded.arrayBuffer())
  const type = { 'content-type': encoded.headers.get('content-type')! }
  expect(await tenant.operator.post('/v2/credentials/compact/verify', image, type)).toMatchObject({
    status: 200,
    body: { verified: true },
  })

  const payload = {
    '@context': ['https://www.w3.org/2018/credentials/v1'],
    type: ['VerifiableCredential'],
    name: 'Welding',
    credentialSubject: { id: 'did:example:ada' },
  }
  const signed = await tenant.operator.post('/v2/credentials/web-semantic/sign', { payload })
  expect(signed).toMatchObject({ status: 200 })
  const verified = await tenant.operator.post('/v2/credentials/web-semantic/verify', {
    payload: signed.body.credential,
  })
  expect(verified).toMatchObject({ status: 200, body: { verified: true } })
})

test.each([
  ['/docs', /Trustwright API reference/],
  ['/docs/swagger-ui.css', /swagger-ui/],
  ['/docs/guide/claim-links', /Claim links/],
])('the web process of the bundle reads the files of %s at their place in the sources', async (path, content) => {
  const page = await service.tenant.anonymous.get(path)
  expect(String(page.body)).toMatch(content)
})

test('a stack trace of the bundle has the lines of the sources', async () => {
  const line = readFileSync(join(root, 'shared/process/compile-cache.ts'), 'utf8')
    .split('\n')
    .findIndex((text) => text.includes('mkdirSync(folder'))
  const trace = `import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
fs.mkdirSync = () => console.error(new Error('here').stack)
syncBuiltinESMExports()`
  const preload = `data:text/javascript,${encodeURIComponent(trace)}`
  const { stderr } = await commands.run(`--import ${preload} ${bundleFile} db/cli/migrate.ts`, {
    NODE_COMPILE_CACHE: '',
  })
  expect(stderr).toContain(`${join(root, 'shared/process/compile-cache.ts')}:${line + 1}:`)
})

test('a build keeps what other builds of the same sources write, and removes what was left of other sources', async () => {
  const copy = copySources('sources')
  const parts = join(copy, 'dist/server')
  const [running, killed] = [`${digestOfSources(copy).slice(0, 16)}-abcdef`, '0123456789abcdef-abcdef']
  for (const name of [running, killed]) mkdirSync(join(parts, name), { recursive: true })
  const { code, stdout } = await commands.run(join(copy, 'api/cli/build-server.ts'), {})
  expect([code, stdout]).toEqual([0, 'server built\n'])
  expect(isBundleCurrent(copy)).toBe(true)
  expect(readdirSync(parts).sort()).toEqual([running.slice(0, 16), running])
})

test('`npm start` builds a missing bundle, and continues in it in the same process', async () => {
  const copy = copySources('started')
  const parent = "console.log(execFileSync('ps', ['-o', 'pid=,args=', '-p', process.ppid], { encoding: 'utf8' }))"
  writeFileSync(
    join(copy, 'parent.mjs'),
    `import { execFileSync } from 'node:child_process'\n${parent}\nprocess.exit(3)`,
  )
  writeFileSync(join(copy, 'Procfile'), 'release: node parent.mjs\n')
  const ports = { PORT: String(await freePort()), OPS_PORT: String(await freePort()), PROVIDER_PORT: '0' }
  const env = { ...ports, DATA_DIR: join(dir, 'started-data'), DATABASE_URL: '' }
  const start = commands.start(`--expose-gc ${join(copy, 'shared/launcher/start.ts')}`, env)
  const { code, stdout, stderr } = await start.ended
  expect(stdout.match(/Trustwright is starting/g)).toHaveLength(1)
  expect(stdout).toMatch(
    new RegExp(`\\n *${start.process.pid} .* --expose-gc ${copy}/dist/server\\.js shared/launcher/run\\.ts\\n`),
  )
  expect([code, stderr]).toEqual([1, expect.stringContaining('"node parent.mjs" ended with exit code 3.')])
})

test('the bundle runs its programs only', async () => {
  const { code, stderr } = await commands.run(`${bundleFile} api/other.ts`, {})
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^node dist\/server\.js PROGRAM: .*workers\/main\.ts.*\n$/)])
})

test('`npm start` builds the bundle of changed sources, and runs the sources where it cannot', async () => {
  const copy = join(dir, 'project')
  for (const folder of ['api', 'dist']) mkdirSync(join(copy, folder), { recursive: true })
  for (const file of ['package.json', 'package-lock.json', 'api/main.ts']) writeFileSync(join(copy, file), '1')
  let builds = 0
  const build = async () => {
    builds++
    writeFileSync(join(copy, bundleFile), bundleEntry(digestOfSources(copy)))
  }

  expect(await buildIfChanged(copy, undefined)).toBe(false)
  expect(await buildIfChanged(copy, async () => undefined)).toBe(false)
  expect(await buildIfChanged(copy, build)).toBe(true)
  expect(await buildIfChanged(copy, build)).toBe(true)
  expect(await buildIfChanged(copy, undefined)).toBe(true)
  expect(builds).toBe(1)
  writeFileSync(join(copy, 'package-lock.json'), '2')
  expect(await buildIfChanged(copy, undefined)).toBe(false)
  expect(commandOfSources(`node --expose-gc ${bundleFile} api/main.ts`)).toBe('node --expose-gc api/main.ts')
})

/** Returns a copy of the project with the files of which the bundle is made. */
function copySources(name: string): string {
  const copy = join(dir, name)
  const sources = ['api', 'db', 'shared', 'workers']
  for (const name of ['package.json', 'package-lock.json', 'tsconfig.json', ...sources])
    cpSync(join(root, name), join(copy, name), {
      recursive: true,
      filter: (path) => !/api\/console\/(app|built)/.test(path),
    })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** Returns the packages in the parts that the part with a module of the sources imports, directly or not, without dynamic imports. */
function packagesOf(program: string): string[] {
  const folder = join(root, 'dist', partsFolder())
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  const sources = new Map<string, string[]>(
    globSync('*.js.map', { cwd: folder }).map((map) => [map.replace(/\.map$/, ''), JSON.parse(read(map)).sources]),
  )
  const [first = ''] = [...sources.keys()].filter((file) =>
    sources.get(file)?.some((source) => source.endsWith(`../${program}`)),
  )
  const parts = new Set([first])
  for (const part of parts)
    for (const [, imported = ''] of read(part).matchAll(/^import .*?"\.\/([^"]+)";$/gm)) parts.add(imported)
  const paths = [...parts].flatMap((part) => sources.get(part) ?? [])
  return [...new Set(paths.flatMap((path) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []))]
}

function partsFolder(): string {
  return /'\.\/(.*)\/main\.js'/.exec(readFileSync(join(root, bundleFile), 'utf8'))?.[1] ?? ''
}

async function qrCode(text: string): Promise<Buffer> {
  const wasm = readFileSync(new URL(import.meta.resolve('zxing-wasm/writer/zxing_writer.wasm')))
  prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(wasm).buffer } })
  const { image } = await writeBarcode(text, { format: 'QRCode', scale: 2 })
  return Buffer.from(await image!.arrayBuffer())
}
