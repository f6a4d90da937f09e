import { execFile, execFileSync, spawnSync } from 'node:child_process'
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPackage } from '../../api/cli/build-package.ts'
import { type Service, startService } from '../harness/harness.ts'

/**
 * Packs the npm package and installs it in an empty folder, without a network and without scripts. Runs it with each Node.js that is
 * found: the one of the tests, those of PATH, and those of OTHER_NODES.
 */
const root = fileURLToPath(new URL('../../', import.meta.url))
const dir = realpathSync(mkdtempSync(join(tmpdir(), 'trustwright-package-')))
const installed = join(dir, 'installed')
const nodes = findNodes()
let service: Service
let packed: { size: number; unpackedSize: number; files: { path: string }[] }

beforeAll(async () => {
  const [built, started] = await Promise.all([buildPackage(join(dir, 'package')), startService()])
  expect(built).toBeUndefined()
  service = started
  mkdirSync(installed)
  const env = { ...process.env, npm_config_cache: join(dir, 'cache') }
  const npm = (...args: string[]) => execFileSync('npm', args, { cwd: installed, env, encoding: 'utf8' })
  ;[packed] = JSON.parse(npm('pack', '--json', join(dir, 'package')))
  writeFileSync(join(installed, 'package.json'), '{"private": true, "type": "module"}')
  npm('install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', './trustwright-0.1.0.tgz')
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(dir, { recursive: true, force: true })
})

/** Finds programs of Node.js 20 and newer, one of each major version. */
function findNodes(): [version: string, path: string][] {
  const folders = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node'))
  const paths = [process.execPath, ...folders, ...(process.env.OTHER_NODES ?? '').split(delimiter)].filter(Boolean)
  const versions = paths.flatMap((path): [string, string][] => {
    const [, major] = /^v(\d+)/.exec(String(spawnSync(path, ['--version']).stdout)) ?? []
    return major && Number(major) >= 20 ? [[major, path]] : []
  })
  return [...new Map(versions)]
}

const program = join(installed, 'node_modules/.bin/trustwright')
const environment = () => ({
  ...{ HOME: dir, TRUSTWRIGHT_BASE_URL: service.origin },
  ...{ TRUSTWRIGHT_CLIENT_ID: service.clientId, TRUSTWRIGHT_CLIENT_SECRET: service.clientSecret },
})

test('the package has the client and the command line, no dependencies, and less than 750 KB', () => {
  const paths = packed.files.map(({ path }) => path)
  expect(paths).toEqual(
    expect.arrayContaining(['client.js', 'trustwright.js', 'types/client.d.ts', 'LICENSE', 'README.md']),
  )
  expect(paths.filter((path) => /^(api|db|workers|test)\//.test(path))).toEqual([])
  const tree = JSON.parse(execFileSync('npm', ['ls', '--all', '--json'], { cwd: installed, encoding: 'utf8' }))
  expect(Object.keys(tree.dependencies)).toEqual(['trustwright'])
  expect(tree.dependencies.trustwright.dependencies).toBeUndefined()
  expect(packed.size).toBeLessThan(165_000)
  expect(packed.unpackedSize).toBeLessThan(750_000)
})

/** Functions of JavaScript that Node.js 20, the oldest supported version, does not have. The build does not replace them. */
const newerFunctions =
  /Promise\.(withResolvers|try)|(Object|Map)\.groupBy|Array\.fromAsync|RegExp\.escape|Iterator\.from/g

test('no file of the package calls a function that Node.js 20 lacks', () => {
  const folder = join(installed, 'node_modules/trustwright')
  const scripts = globSync('**/*.js', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'))
  // Parts that need a driver do not run without it.
  const running = scripts.filter((text) => !text.includes('from"ioredis"'))
  expect(running.length).toBeGreaterThan(2)
  expect(running.flatMap((text) => text.match(newerFunctions) ?? [])).toEqual([])
})

test.each(nodes)('the command line runs with Node.js %s', async (_version, node) => {
  const run = async (...args: string[]) =>
    (await promisify(execFile)(node, [program, ...args], { env: environment() })).stdout
  expect(await run('--version')).toBe('0.1.0\n')
  expect(await run('--help')).toContain('offers create')
  expect(await run('completion', 'bash')).toContain('complete -o default')
  expect(JSON.parse(await run('api', 'GET', '/v1/users?limit=1', '--json'))).toHaveProperty('data')
})

test.each(nodes)('checks that need a driver are not made by the package with Node.js %s', async (_version, node) => {
  const env = { ...environment(), PLATFORM_DOMAIN: 'issuer.example', DATABASE_URL: 'postgres://127.0.0.1:1/none' }
  // The command ends with 1, because the service is not at https.
  const stdout = await new Promise<string>((resolve) =>
    execFile(node, [program, 'doctor', '--go-live', '--json'], { env }, (_error, output) => resolve(output)),
  )
  const findings: { check: string; status: string; message: string }[] = JSON.parse(stdout)
  const npmPackage = { status: 'skipped', message: expect.stringContaining('this is the npm package') }
  expect(findings).toEqual(
    expect.arrayContaining(['limits', 'clocks'].map((check) => expect.objectContaining({ check, ...npmPackage }))),
  )
})

test.each(nodes)('the package says where a ceremony runs with Node.js %s', async (_version, node) => {
  const verify = promisify(execFile)(node, [program, 'ceremony', 'verify', dir], { env: { HOME: dir } })
  const stderr = 'This is the npm package. Run the command in the folder of the service.\n'
  await expect(verify).rejects.toMatchObject({ code: 1, stderr })
})

test.each(nodes)('the help loads less than 150 KB of the package with Node.js %s', (version, node) => {
  // V8 writes the addresses of all files that the program loaded.
  const coverage = join(dir, `loaded-${version}`)
  execFileSync(node, [program, '--help'], { env: { HOME: dir, NODE_V8_COVERAGE: coverage } })
  const reports = readdirSync(coverage).map((name) => JSON.parse(readFileSync(join(coverage, name), 'utf8')))
  const addresses: string[] = reports.flatMap(({ result }) => result.map(({ url }: { url: string }) => url))
  const files = addresses.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url))
  expect(files.map((file) => basename(file))).toContain('trustwright.js')
  expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(165_000)
})

test.each(nodes)('the client runs with Node.js %s', async (_version, node) => {
  writeFileSync(
    join(installed, 'use.js'),
    `import { createTrustwright, itemsOf } from 'trustwright/client'
    const { TRUSTWRIGHT_BASE_URL: baseUrl, TRUSTWRIGHT_CLIENT_ID: clientId, TRUSTWRIGHT_CLIENT_SECRET: clientSecret } = process.env
    const client = createTrustwright({ baseUrl, clientId, clientSecret })
    await client.POST('/v1/users', { body: { claims: {} } })
    for await (const { id } of itemsOf((query) => client.GET('/v1/users', { params: { query } }))) console.log(id)`,
  )
  const { stdout } = await promisify(execFile)(node, ['use.js'], { cwd: installed, env: environment() })
  expect(stdout.trim()).not.toBe('')
})

test('the types of the client check the calls of a program', async () => {
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
    noEmit: true,
    strict: true,
    // The libraries of the compiler itself are not the subject.
    skipDefaultLibCheck: true,
  }
  const program = (id: string) => `import { createTrustwright, dataOf, type components } from 'trustwright/client'
    const client = createTrustwright({ baseUrl: '', clientId: '', clientSecret: '' })
    export const user: components['schemas']['User'] = await dataOf(
      client.GET('/v1/users/{id}', { params: { path: { ${id}: 'x' } } }),
    )`
  for (const moduleResolution of ['bundler', 'nodenext']) {
    const module = moduleResolution === 'bundler' ? 'esnext' : 'nodenext'
    const options = { ...compilerOptions, module, moduleResolution }
    writeFileSync(join(installed, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.ts'] }))
    writeFileSync(join(installed, 'right.ts'), program('id'))
    writeFileSync(join(installed, 'wrong.ts'), program('other'))
    const reported = await compile()
    expect(reported).toContain("'other' does not exist in type")
    expect(reported.match(/[^/\n]+(?=\(\d+,\d+\): error)/g)).toEqual(['wrong.ts'])
  }
})

/** Returns what the compiler reports. */
async function compile(): Promise<string> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const compiled = promisify(execFile)(process.execPath, [compiler, '-p', installed])
  return compiled.then(
    () => '',
    ({ stdout }) => stdout,
  )
}
