import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { bulkIssuances } from '../../db/tables/issuance/bulk-issuances.ts'
import { type CommandLine, newCommandLine, program } from '../harness/command-line.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { eventually, type TestTenant } from '../harness/harness.ts'
import { type Processes, startProcesses } from '../harness/processes.ts'

/** The command line against the service in its own processes. */
let service: Processes
let tenant: TestTenant
let line: CommandLine
let configurationId: string
beforeAll(async () => {
  service = await startProcesses()
  // The names below localhost do not have an address on each machine.
  tenant = await service.addTenant({}, [new URL(service.origin).host])
  line = newCommandLine(tenant)
  expect(await line.login()).toMatchObject({ code: 0 })
  configurationId = await compactConfiguration(tenant, { revocable: true })
})
afterAll(async () => {
  line?.end()
  await service?.[Symbol.asyncDispose]()
})

const fileOf = (name: string, content: string | Buffer) => {
  const file = join(line.dir, name)
  writeFileSync(file, content)
  return file
}

function optionsOf(out: string): string[] {
  return ['--out', join(line.dir, out), '-c', configurationId, '--external-id', 'number']
}

const run = (file: string, out: string, ...more: string[]) =>
  line.run(['bulk', 'run', file, ...optionsOf(out), ...more])

/** The rows of a file with results. */
const rowsIn = (out: string): { row: number; externalId: string; credentialId: string }[] =>
  readFileSync(join(line.dir, out), 'utf8')
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text))

const people = (count: number) =>
  `number;Given name\r\n${Array.from({ length: count }, (_, at) => `${at + 1};Person ${at + 1}\r\n`).join('')}`

const mapped = ['--column', 'Given name=claims.given_name']
const listed = async () => (await tenant.operator.get('/v1/bulk-issuances?limit=100')).body.data

/** Starts a command. It gets Ctrl-C as soon as `isTime`. */
async function interrupted(args: string[], isTime: () => Promise<boolean>) {
  const env = { ...process.env, TRUSTWRIGHT_CONFIG: line.config }
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (part) => (stderr += part))
  await eventually(isTime)
  child.kill('SIGINT')
  const [code] = await once(child, 'exit')
  return { code, stderr }
}

test('a file becomes results, the rows with an error are named, and the command does not run twice', async () => {
  const file = fileOf('mixed.csv', 'number;Given name;e\x9bmail\n1;Ada;\n2;;\n3;"Bob ""B""";\n4;Eve;;more\n')
  const first = await run(file, 'mixed.jsonl', ...mapped)
  expect(first).toEqual({
    code: 1,
    stdout: expect.stringMatching(/is done\. 2 of 4 rows are issued, 2 have an error.*mixed\.jsonl\n$/),
    stderr: expect.stringContaining('Row 2, Given name: There is no value'),
  })
  expect(first.stderr).toContain('Columns that no configuration reads: e?mail\n')
  expect(first.stderr).toMatch(/^Row 4: .* \(too_many_cells\)$/m)
  expect(rowsIn('mixed.jsonl')).toMatchObject([
    { row: 1, externalId: '1', credential: expect.stringMatching(/^CSC:/) },
    { row: 3, externalId: '3' },
  ])
  expect(statSync(join(line.dir, 'mixed.jsonl')).mode & 0o777).toBe(0o600)
  for (const end of ['.state', '.part']) expect(existsSync(join(line.dir, `mixed.jsonl${end}`))).toBe(false)
  const before = (await listed()).length
  expect(await run(file, 'mixed.jsonl', ...mapped)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('exists'),
  })
  expect(await listed()).toHaveLength(before)
})

test('rows are only checked, also of a compressed file, with the errors in a file, and issued later', async () => {
  const file = fileOf('people.txt.gz', gzipSync('{"number":"1","given_name":"Ada"}\n{"number":"=2"}\n'))
  const errors = join(line.dir, 'errors.csv')
  const checked = await run(file, 'late.csv', '--format', 'jsonl', '--validate-only', '--errors', errors, '--json')
  expect(checked).toMatchObject({ code: 1, stderr: `1 row has an error: ${errors}\n` })
  const { id } = JSON.parse(checked.stdout)
  expect(JSON.parse(checked.stdout)).toMatchObject({ state: 'ready', fileName: 'people.txt.jsonl.gz', done: 0 })
  expect(readFileSync(errors, 'utf8')).toMatch(
    /^row,externalId,column,code,message\r\n2,'=2,given_name,missing_claim,[^\r\n]+\r\n$/,
  )
  expect(existsSync(join(line.dir, 'late.csv'))).toBe(false)
  const issued = await line.run(['bulk', 'run', '--resume', id, '--out', join(line.dir, 'late.csv')])
  expect(issued).toMatchObject({ code: 1, stdout: expect.stringContaining('1 of 2 rows is issued, 1 has an error') })
  expect(readFileSync(join(line.dir, 'late.csv'), 'utf8')).toMatch(/^row,externalId,credentialId,credential\r\n1,1,/)
  expect(existsSync(join(line.dir, 'late.csv.state'))).toBe(false)
})

test('a file without valid rows leaves no results, so that the same command can run again with a corrected file', async () => {
  const summary = /is done\. 0 of 1 rows are issued, .* could not be signed\.\n$/
  for (const out of ['nothing-issued.csv', 'nothing-issued.jsonl']) {
    const file = fileOf('corrected.csv', 'number;Given name\n1;\n')
    expect(await run(file, out, ...mapped)).toMatchObject({ code: 1, stdout: expect.stringMatching(summary) })
    for (const end of ['', '.state', '.part']) expect(existsSync(join(line.dir, `${out}${end}`))).toBe(false)
    fileOf('corrected.csv', people(1))
    expect(await run(file, out, ...mapped)).toMatchObject({ code: 0 })
    expect(existsSync(join(line.dir, out))).toBe(true)
  }
})

test('the results of a bulk issuance without issued rows are empty JSON Lines', async () => {
  const file = fileOf('unissued.csv', 'number;Given name\n1;Ada\n')
  const { id } = JSON.parse((await run(file, 'unissued.jsonl', ...mapped, '--validate-only', '--json')).stdout)
  expect(await line.run(['bulk', 'results', id, '--json'])).toEqual({ code: 0, stdout: '', stderr: '' })
})

test('after Ctrl-C the service continues, and the same command follows it and saves each row once', async () => {
  onTestFailed(() => console.error(service.errorOutput().slice(-5_000)))
  const count = 4_000
  const file = fileOf('many.csv', people(count))
  const uploaded = async () => (await listed()).filter(({ fileName }: { fileName: string }) => fileName === 'many.csv')
  const args = ['bulk', 'run', file, ...optionsOf('many.jsonl'), ...mapped]
  const ended = await interrupted(args, async () => (await uploaded())[0]?.done > 0)
  const [bulk] = await uploaded()
  expect(ended).toEqual({
    code: 1,
    stderr: expect.stringContaining(`trustwright bulk run --resume ${bulk.id} --out ${join(line.dir, 'many.jsonl')}`),
  })
  expect(existsSync(join(line.dir, 'many.jsonl'))).toBe(false)
  // Another file, and a file that was changed, do not continue it.
  const other = fileOf('other.csv', people(1))
  expect(await run(other, 'many.jsonl', ...mapped)).toMatchObject({ code: 1, stderr: expect.stringContaining(bulk.id) })

  expect(await run(file, 'many.jsonl', ...mapped)).toMatchObject({ code: 0 })
  const rows = rowsIn('many.jsonl')
  expect(rows.map(({ row }) => row)).toEqual(Array.from({ length: count }, (_, at) => at + 1))
  expect(rows.every(({ row, externalId }) => externalId === String(row))).toBe(true)
  expect(new Set(rows.map(({ credentialId }) => credentialId)).size).toBe(count)
  expect(await uploaded()).toHaveLength(1)
  expect(existsSync(join(line.dir, 'many.jsonl.state'))).toBe(false)
})

test('an upload that Ctrl-C cuts off leaves nothing, and the same command uploads the file', async () => {
  const filler = 'x'.repeat(90_000)
  const lines = Array.from({ length: 500 }, (_, at) => JSON.stringify({ number: `${at}`, given_name: 'Ada', filler }))
  const file = fileOf('large.jsonl', lines.join('\n'))
  const args = ['bulk', 'run', file, ...optionsOf('large.csv')]
  const before = (await listed()).length
  const receiving = eq(bulkIssuances.state, 'receiving')
  const isReceiving = async () => (await service.db.read.$count(bulkIssuances, receiving)) > 0
  // The service stops, so that it cannot complete the upload before the command ends.
  const isTime = async () => {
    if (!(await isReceiving())) return false
    service.pause('web')
    return true
  }
  const ended = await interrupted(args, isTime).finally(() => service.resume('web'))
  expect(ended).toEqual({ code: 1, stderr: expect.stringContaining('Nothing was issued') })
  expect(existsSync(join(line.dir, 'large.csv.state'))).toBe(false)
  await eventually(async () => (await listed()).length === before)
  expect(await run(file, 'large.csv', '--column', 'given_name=claims.given_name')).toMatchObject({ code: 0 })
  expect(await listed()).toHaveLength(before + 1)
})

test('a refused file, and a bulk issuance that is paused, are reported with the reason', async () => {
  const file = fileOf('duplicate.csv', 'number,given_name\n1,Ada\n1,Bob\n')
  const refused = await run(file, 'duplicate-results.csv')
  expect(refused).toMatchObject({
    code: 1,
    stdout: 'Nothing was issued\n',
    stderr: expect.stringMatching(/^The file was refused: .*\(duplicate/),
  })
  expect(existsSync(join(line.dir, 'duplicate-results.csv.state'))).toBe(false)
  const wrong = await run(file, 'none.csv', '--column', 'Name=claims.given_name')
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('number, given_name') })
  const out = join(line.dir, 'no.csv')
  const unknown = await line.run(['bulk', 'run', file, '--out', out, '-c', 'x', '--external-id', 'number'])
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringMatching(/^No configuration has the name "x"/) })
})

test('bulk issuances are listed, shown, paused, resumed, cancelled and retried, and results and errors are printed', async () => {
  const count = 4_000
  const file = fileOf(
    'steps.csv',
    `number,given_name\n0,\n${people(count)
      .replaceAll(';', ',')
      .replace(/^.*\r\n/, '')}`,
  )
  const checked = await line.run([
    'bulk',
    'run',
    file,
    '-c',
    configurationId,
    '--external-id',
    'number',
    '--validate-only',
    '--json',
  ])
  const { id } = JSON.parse(checked.stdout)
  const bulk = async (verb: string) => line.run(['bulk', verb, id])
  expect(await bulk('pause')).toMatchObject({ code: 1, stderr: expect.stringMatching(/ready.*\(409/) })
  expect((await bulk('start')).stdout).toContain('running')
  expect((await bulk('pause')).stdout).toContain('paused')
  const followed = await line.run(['bulk', 'run', '--resume', id, '--validate-only', '--json'])
  expect(JSON.parse(followed.stdout)).toMatchObject({ state: 'paused' })
  const out = join(line.dir, 'steps.jsonl')
  const continued = await line.run(['bulk', 'run', '--resume', id, '--out', out])
  expect(continued).toMatchObject({ code: 1, stdout: expect.stringContaining(`${count} of ${count + 1} rows`) })
  expect(rowsIn('steps.jsonl').map(({ row }) => row)).toEqual(Array.from({ length: count }, (_, at) => at + 2))
  expect((await line.run(['bulk', 'list'])).stdout).toContain(`${id}  done`)
  expect((await bulk('show')).stdout).toContain(`${count} done, 0 failed`)
  const printed = await line.run(['bulk', 'results', id, '--json'])
  expect(printed.stdout === readFileSync(out, 'utf8')).toBe(true)
  const before = readFileSync(out, 'utf8')
  const again = ['bulk', 'results', id, '--out']
  expect(await line.run([...again, out])).toMatchObject({ code: 1, stderr: expect.stringContaining('exists') })
  expect(readFileSync(out, 'utf8') === before).toBe(true)
  expect(await line.run([...again, join(line.dir, 'again.jsonl')])).toMatchObject({ code: 0 })
  expect(readFileSync(join(line.dir, 'again.jsonl'), 'utf8') === before).toBe(true)
  expect((await bulk('errors')).stdout).toMatch(/^Row 1, given_name: .* \(missing_claim\)\n$/)
  expect(await bulk('cancel')).toMatchObject({ code: 1, stderr: expect.stringContaining('is done') })
  expect((await bulk('retry')).stdout).toContain('running')
})

test('rows become claim links with transaction codes, and with the cells of a kept column', async () => {
  const file = fileOf('linked.csv', 'number,given_name,email\n1,Ada,ada@example.org\n2,Bob,\n')
  const more = [
    '--mode',
    'links',
    '--code',
    '--keep',
    'email',
    '--expires-in',
    '12h',
    '-c',
    await compactConfiguration(tenant),
  ]
  const outcome = await run(file, 'linked.jsonl', ...more)
  expect(outcome).toMatchObject({ code: 0, stdout: expect.stringContaining('2 of 2 rows are issued') })
  expect(rowsIn('linked.jsonl')).toMatchObject([
    {
      ...{ row: 1, link: expect.stringMatching(/\/l\/[\w-]{44}$/), email: 'ada@example.org' },
      transactionCode: expect.stringMatching(/^\d{6}$/),
    },
    { row: 2, externalId: '2', email: '' },
  ])
  // The command has confirmed that it saved the codes.
  const { data } = (await tenant.operator.get('/v1/bulk-issuances')).body
  const { id } = data.find(({ mode }: { mode: string }) => mode === 'links')
  const output = await line.run(['bulk', 'show', id])
  expect(output.stdout).toMatch(/links: \d+ open, 0 opened, 0 collected, 0 expired, 0 revoked\n$/)
  expect((await line.run(['bulk', 'results', id])).stdout).toMatch(/^row,externalId,link,email\r\n/)
  // The tenant has no provider at which people could sign in.
  const unverified = '--accept-unverified'
  for (const [answer, claim, ...rest] of [
    [/signIn: The tenant has no/, 'given_name'],
    [/signIn: The tenant has no/, 'email', unverified],
    [/signIn.acceptUnverified/, 'sub', unverified],
    [/--accept-unverified needs --sign-in email/, 'any', unverified],
  ] as const) {
    const refused = await run(file, `${claim}.jsonl`, '--mode', 'links', '--sign-in', claim, ...rest)
    expect(refused.stderr).toMatch(answer)
  }
})

/** A proxy that cuts off the first downloads of results after `cutAfter` bytes, and loses the answers of the first uploads. */
async function startCuttingProxy({ cuts = 0, cutAfter = 0, lostUploads = 0 }) {
  /** The `afterRow` of each download of results. */
  const downloads: number[] = []
  const uploads: (number | undefined)[] = []
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming
    const sent = request(service.origin + url, { method, headers }, (answer) => {
      if (method === 'POST' && url === '/v1/bulk-issuances' && uploads.push(answer.statusCode) <= lostUploads)
        return void outgoing.destroy()
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      const { pathname, searchParams } = new URL(url ?? '', service.origin)
      if (!pathname.endsWith('/results')) return void answer.pipe(outgoing)
      downloads.push(Number(searchParams.get('afterRow')))
      let left = downloads.length <= cuts ? cutAfter : Infinity
      answer.on('data', (chunk: Buffer) => {
        if (left <= 0) return
        outgoing.write(chunk.subarray(0, left))
        left -= chunk.length
        if (left <= 0) setTimeout(() => outgoing.destroy(), 50)
      })
      answer.on('end', () => left > 0 && outgoing.end())
    })
    incoming.pipe(sent)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { host: `127.0.0.1:${port}`, downloads, uploads, [Symbol.dispose]: close }
}

test('a download that is cut off continues after its last whole row, and begins again if the results have no ETag', async () => {
  using proxy = await startCuttingProxy({ cuts: 5, cutAfter: 60_000 })
  const own = await service.addTenant({}, [proxy.host])
  const cut = newCommandLine({ ...own, baseUrl: `http://${proxy.host}` })
  expect(await cut.login()).toMatchObject({ code: 0 })
  const options = ['-c', await compactConfiguration(own), '--external-id', 'number', ...mapped]
  const file = fileOf('cut.csv', people(1_500))
  const out = join(cut.dir, 'cut.jsonl')
  expect(await cut.run(['bulk', 'run', file, '--out', out, ...options])).toMatchObject({ code: 0 })
  expect(new Set(proxy.downloads).size).toBe(6)
  expect(proxy.downloads).toEqual(proxy.downloads.toSorted((a, b) => a - b))
  const [bulk] = (await own.operator.get('/v1/bulk-issuances')).body.data
  const whole = await cut.run(['bulk', 'results', bulk.id, '--json'])
  expect(readFileSync(out, 'utf8') === whole.stdout).toBe(true)

  proxy.downloads.length = 0
  const withCodes = join(cut.dir, 'codes.jsonl')
  const links = ['--mode', 'links', '--code']
  const ended = await cut.run(['bulk', 'run', file, '--out', withCodes, ...options, ...links])
  expect(ended).toMatchObject({ code: 1 })
  expect(proxy.downloads).toEqual([0, 0, 0])
  expect(existsSync(withCodes) || existsSync(`${withCodes}.part`)).toBe(false)
  cut.end()
})

test('an upload whose answer was lost is repeated, and is stored once', async () => {
  using proxy = await startCuttingProxy({ lostUploads: 1 })
  const own = await service.addTenant({}, [proxy.host])
  const cut = newCommandLine({ ...own, baseUrl: `http://${proxy.host}` })
  expect(await cut.login()).toMatchObject({ code: 0 })
  const options = ['-c', await compactConfiguration(own), '--external-id', 'number', ...mapped]
  const file = fileOf('lost.csv', people(10))
  expect(await cut.run(['bulk', 'run', file, '--out', join(cut.dir, 'lost.csv'), ...options])).toMatchObject({
    code: 0,
  })
  expect(proxy.uploads).toEqual([202, 202])
  expect((await own.operator.get('/v1/bulk-issuances')).body.data).toHaveLength(1)
  cut.end()
})

test('results are not written over a file that was made during the issuance', async () => {
  const file = fileOf('over.csv', people(1))
  const out = join(line.dir, 'over.jsonl')
  // The worker checks the rows before they are issued.
  service.pause('worker')
  const child = run(file, 'over.jsonl', ...mapped)
  await eventually(async () => existsSync(`${out}.state`))
    .then(() => writeFileSync(out, 'mine'))
    .finally(() => service.resume('worker'))
  expect(await child).toMatchObject({ code: 1, stderr: expect.stringContaining('exists') })
  expect(readFileSync(out, 'utf8')).toBe('mine')
})

test.each([
  [['people.csv'], '--out is required'],
  [['people.csv', '--out', '/no/such/folder/results.csv'], 'The folder /no/such/folder'],
  [['--out', 'results.csv'], 'Give one file'],
  [['people.csv', '--resume', 'ID', '--out', 'results.csv'], 'Give a file or --resume'],
  [['no.csv', '--out', 'results.csv'], 'no.csv cannot be read'],
  [['.', '--out', 'results.csv'], '. is not a file'],
  [['people.csv', '--out', 'results.csv', '--mode', 'print'], '--mode must be sign or links'],
  [['people.csv', '--out', 'results.csv', '--column', 'name'], '--column must be NAME=PATH'],
  [['people.csv', '--out', 'results.csv', '--expires-in', 'soon'], '--expires-in must be a time'],
])('bulk run %j is refused', async (args, message) => {
  const options =
    args.includes('--resume') || args[0] === '--out' ? [] : ['-c', configurationId, '--external-id', 'number']
  const outcome = await line.run(['bulk', 'run', ...args, ...options])
  expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining(message) })
})
