import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildImage } from '../../docs/deploy/image/build.ts'
import type { ImageFacts } from '../../docs/deploy/image/image-files.ts'
import manifest from '../../package.json' with { type: 'json' }
import { parseProcfile } from '../../shared/launcher/procfile.ts'
import { hasChromium, openBrowser } from '../harness/chromium.ts'
import { readContainerfile, readDeployFile } from '../harness/deployments.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { eventually, type TestTenant } from '../harness/harness.ts'
import { commandsOfImage, type ImageConfig, inImage, isUnavailableHere, unpackImage } from '../harness/image-root.ts'
import { startProcesses } from '../harness/processes.ts'
import { freePort } from '../harness/redis.ts'
import { startReceiver } from '../servers/receiver.ts'
import { newWallet } from '../wallets/wallet.ts'

const project = join(import.meta.dirname, '../..')
const maxBytes = 250_000_000

describe('the image', { tags: 'image' }, () => {
  let dir: string
  let archive: string
  let facts: ImageFacts
  let root: string
  let image: ImageConfig
  let unavailable: string | undefined
  beforeEach((context) => context.skip(unavailable !== undefined, unavailable))
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'trustwright-image-test-'))
    archive = join(dir, 'image.tar')
    try {
      facts = await buildImage(archive)
    } catch (error) {
      if (!isUnavailableHere(error)) throw error
      unavailable = `The image cannot be built here: ${String(error)}`
      return console.warn(unavailable)
    }
    const unpacked = unpackImage(archive, dir)
    root = unpacked.root
    image = unpacked.config
  })
  afterAll(() => rmSync(dir, { recursive: true, force: true }))

  /** Runs a program in the image with a new folder for `/data`, or with `data`. */
  function run(words: string[], { data = mkdtempSync(join(dir, 'data-')), ...env }: Record<string, string> = {}) {
    const program = inImage(root, words, { data, env })
    return spawnSync(program.file, program.args, { env: program.env, encoding: 'utf8' })
  }

  // The second build is in another folder, with a console of its own, at another time.
  test('is the same when it is built again', { tags: 'full' }, async () => {
    const copy = join(dir, 'project')
    const isCopied = (path: string) => !/\/(node_modules|dist|built[\w-]*|\.data|\.mutants)$/.test(path)
    cpSync(project, copy, { recursive: true, filter: isCopied })
    symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'))
    const again = join(dir, 'again.tar')
    const built = spawnSync(process.execPath, ['docs/deploy/image/build.ts', again], { cwd: copy, encoding: 'utf8' })
    expect(built).toMatchObject({ status: 0, stdout: expect.stringContaining(facts.digest) })
    expect(readFileSync(again).equals(readFileSync(archive))).toBe(true)
  })

  test('of the Containerfile has the same product, built from the files that its build gets', () => {
    const copy = join(dir, 'context')
    const ignored = readDeployFile('Containerfile.dockerignore').match(/^[^#\n]+$/gm) ?? []
    const context = globSync(
      ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1)),
      { cwd: project },
    )
    const excluded = globSync(
      ignored.filter((line) => !/^[!*]/.test(line)),
      { cwd: project },
    )
    const isGiven = (path: string) => !excluded.some((each) => path === join(project, each))
    for (const name of context) cpSync(join(project, name), join(copy, name), { recursive: true, filter: isGiven })
    expect(existsSync(join(copy, 'api/console/built'))).toBe(false)
    symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'))

    const command = readContainerfile()
      .text.match(/^RUN (node .*)$/m)?.[1]
      ?.replace(/ \/image$/, ` ${join(dir, 'from-file')}`)
    execFileSync('sh', ['-ec', `umask 022; ${command}`], {
      cwd: copy,
      env: { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) },
      stdio: 'ignore',
    })
    expect(execFileSync('diff', ['-r', join(dir, 'from-file/app'), join(root, 'app')], { encoding: 'utf8' })).toBe('')
  })

  test('has the command of web, an unprivileged user, a health check and the labels of OCI', () => {
    const web = parseProcfile(readFileSync(join(project, 'Procfile'), 'utf8')).find(({ name }) => name === 'web')
    expect(image.config).toMatchObject({
      User: '10001:10001',
      Cmd: web?.command.split(' '),
      WorkingDir: '/app',
      ExposedPorts: { 3000: {} },
      Env: ['PATH=/usr/local/bin', 'NODE_ENV=production', 'DATA_DIR=/data'],
      Healthcheck: { Test: ['CMD', 'node', 'shared/check-health.ts'] },
    })
    const labels = Object.entries(image.config.Labels).map(([name, value]) => [
      name.replace('org.opencontainers.image.', ''),
      value,
    ])
    const { created, revision, ...others } = Object.fromEntries(labels)
    const { name: title, version, description, license: licenses } = manifest
    expect(others).toEqual({ title, version, description, licenses })
    expect(Date.parse(created)).toBe(Date.parse(image.created))
    const git = (...words: string[]) => spawnSync('git', words, { cwd: project, encoding: 'utf8' }).stdout.trim()
    expect(revision?.replace('-modified', '')).toBe(git('rev-parse', 'HEAD') || undefined)
    if (!process.env.SOURCE_DATE_EPOCH)
      expect(Date.parse(created) / 1000).toBe(Number(git('log', '-1', '--format=%ct')))
  })

  test('has at most 250 MB, no shell, no tests, no pages but the guides, and no dependencies of development', () => {
    expect(facts.bytes).toBeLessThan(maxBytes)
    const files = globSync('**/*', { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile())
    const paths = files.map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1))
    const programs = files.filter((each) => statSync(join(each.parentPath, each.name)).mode & 0o111)
    expect(programs.map(({ name }) => name).filter((name) => !name.includes('.so.'))).toEqual(['node'])
    const product = paths.filter((path) => path.startsWith('app/') && !path.includes('node_modules'))
    expect([...new Set(product.map((path) => path.split('/')[1]))].sort()).toEqual(
      ['LICENSE', 'Procfile', 'api', 'db', 'dist', 'docs', 'package.json', 'shared', 'workers'].sort(),
    )
    const isGuide = (path: string) => /^app\/docs\/(decisions\/)?[\w-]+\.md$/.test(path)
    expect(product.filter((path) => path.startsWith('app/docs/') && !isGuide(path))).toEqual([])
    const isUnused = (path: string) =>
      /\.(test\.ts|md|map|d\.ts)$/.test(path) && !/licen[cs]e|^app\/dist\/server\//i.test(path)
    expect(paths.filter((path) => isUnused(path) && !isGuide(path))).toEqual([])
    expect(existsSync(join(root, 'app/api/console/built/index.html'))).toBe(true)

    const lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8'))
    const packages = globSync('**/node_modules/{*,@*/*}/package.json', { cwd: join(root, 'app') })
    const names = packages.map((path) => path.slice(0, -'/package.json'.length))
    // `npm run pkcs11:build` installs it.
    expect(names.splice(names.indexOf('dist/pkcs11/node_modules/pkcs11js'), 1)).toEqual([
      'dist/pkcs11/node_modules/pkcs11js',
    ])
    expect(names.filter((name) => !lock.packages[name] || lock.packages[name].dev)).toEqual([])
    const direct = Object.keys(manifest.dependencies).map((name) => `node_modules/${name}`)
    expect(direct.filter((name) => !names.includes(name))).toEqual([])
    for (const path of ['app/LICENSE', 'usr/share/doc/libc6/copyright', 'usr/share/doc/nodejs/copyright'])
      expect(existsSync(join(root, path)), path).toBe(true)
  })

  test('has all files that its own files import', () => {
    const files = globSync('{api,db,shared,workers}/**/*.ts', { cwd: join(root, 'app') })
    const imports = /^(?:import|export) (?!type )[^'"]*?from '([^']+)'|import\('([^'$]+)'\)/gm
    const missing = files.flatMap((file) => {
      const text = readFileSync(join(root, 'app', file), 'utf8')
      const named = [...text.matchAll(imports)].map(([, fixed, dynamic]) => fixed ?? dynamic ?? '')
      return named.filter((name) => !isThere(name, join(root, 'app', file, '..'))).map((name) => `${file}: ${name}`)
    })
    expect(files.length).toBeGreaterThan(500)
    // Only the readable log of development uses it.
    expect(missing).toEqual(['shared/log/log.ts: pino-pretty'])
  })

  function isThere(name: string, folder: string): boolean {
    if (name.startsWith('node:')) return true
    if (name.startsWith('.')) return existsSync(join(folder, name))
    const [scope = '', rest = ''] = name.split('/')
    return existsSync(join(root, 'app/node_modules', name.startsWith('@') ? join(scope, rest) : scope))
  }

  test('its user can read every file, and write to /data and /tmp only', () => {
    const script = `const tried = ['/x', '/app/x', '/etc/x', '/run/x', '/data/x', '/tmp/x'].map((file) => {
        try { fs.writeFileSync(file, ''); return file } catch ({ code }) { return code }
      })
      const unreadable = fs.globSync('/{app,etc,lib,lib64,usr}/**').filter((file) => !(fs.statSync(file).mode & 0o004))
      console.log(JSON.stringify({ uid: process.getuid(), gid: process.getgid(), tried, unreadable }))`
    const { stdout, stderr } = run(['node', '-e', script])
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual({
      uid: 10_001,
      gid: 10_001,
      tried: ['EROFS', 'EROFS', 'EROFS', 'EROFS', '/data/x', '/tmp/x'],
      unreadable: [],
    })
    expect(statSync(join(root, 'data'))).toMatchObject({ uid: 10_001, gid: 10_001, mode: 0o40700 })
  })

  test('its release command makes a database, and its programs end with a message for people', () => {
    const data = join(dir, 'migrated')
    mkdirSync(data)
    const env = { data, DATABASE_URL: 'file:/data/trustwright.db' }
    const migrated = run(commandsOfImage(root).release ?? [], env)
    expect(migrated).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('has all') })
    expect(existsSync(join(data, 'trustwright.db'))).toBe(true)
    const refused = run(commandsOfImage(root).web ?? [], env)
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('SERVICE_SECRET is missing') })
  })

  /** Signs in with the client of the tenant, and opens an area. */
  async function signInAtConsole({ baseUrl, clientId, clientSecret }: TestTenant): Promise<void> {
    const browser = await openBrowser()
    const page = await browser.newPage({ locale: 'en-GB' })
    await page.goto(`${baseUrl}/console/offers`)
    await page.getByLabel('Client id').fill(clientId)
    await page.getByLabel('Client secret').fill(clientSecret)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Offers' }).waitFor()
    await browser.close()
  }

  test.each(['database', 'redis'] as const)(
    'its processes with queues in %s issue a credential, deliver a webhook and serve the console',
    async (queueIn) => {
      const ports = { SIGNING_OPS_PORT: String(await freePort()), WORKER_OPS_PORT: String(await freePort()) }
      await using service = await startProcesses(ports, { imageRoot: root, queueIn })
      await using receiver = await startReceiver()
      const { tenant, origin, dir: data, config } = service
      const settings = { data, ...ports, PORT: String(config.port) }
      for (const kind of ['web', 'signing', 'worker'])
        await eventually(async () => run(['node', 'shared/check-health.ts', kind], settings).status === 0)

      const webhook = { events: ['OpenIdCredentialIssued'], url: receiver.url }
      expect(await tenant.operator.post('/v1/webhooks', webhook)).toMatchObject({ status: 201 })
      const offer = await newOffer(tenant, [await compactConfiguration(tenant)])
      const { status, body } = await (await newWallet(tenant, origin, offer.uri)).collect()
      expect([status, body.credentials[0].credential]).toEqual([200, expect.stringMatching(/^CSC:\/1\//)])
      const [delivery] = await eventually(async () => receiver.deliveries.length > 0 && receiver.deliveries)
      expect(delivery?.body.event.payload).toMatchObject({ credentialOfferId: offer.id })

      const page = await tenant.anonymous.get('/console/')
      expect(page.status).toBe(200)
      const [script = ''] = /(?<=src=")[^"]+\.js/.exec(String(page.body)) ?? []
      expect(await tenant.anonymous.get(script)).toMatchObject({ status: 200 })
      if (hasChromium) await signInAtConsole(tenant)

      const { redisUrl, redisPrefix, platformDomain, databaseUrl, serviceSecrets } = config
      const made = run(['node', 'api/cli/init.ts'], {
        ...settings,
        ...(queueIn === 'redis' ? { REDIS_URL: redisUrl, REDIS_PREFIX: redisPrefix } : {}),
        ...{
          DATABASE_URL: databaseUrl,
          PLATFORM_DOMAIN: platformDomain,
          SERVICE_SECRET: serviceSecrets[0].toString('base64'),
        },
      })
      expect(made).toMatchObject({ status: 0, stdout: expect.stringContaining('clientSecret') })
      expect(service.errorOutput()).toBe('')
      for (const name of ['web', 'signing', 'worker'] as const) expect(await service.stop(name)).toBe(0)
    },
  )
})
