import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changesBy } from '../../db/repos/operations/audit/audited.ts'
import { auditCheckpoints } from '../../db/tables/operations/audit-checkpoints.ts'
import { signCheckpoint } from '../../shared/formats/checkpoint.ts'
import { type CommandLine, newCommandLine } from '../harness/command-line.ts'
import { activeIaca } from '../harness/factories.ts'
import { type Service, startService } from '../harness/harness.ts'
import { newCredentials, newList } from '../harness/revocable.ts'
import { runNow } from '../harness/run-now.ts'
import { testSigner } from '../harness/test-signer.ts'
import { startReceiver } from '../servers/receiver.ts'

let service: Service
let line: CommandLine
const run = (args: string[], input = '') => line.run(args, { input })
beforeAll(async () => {
  service = await startService()
  line = newCommandLine(service)
  await line.login()
})
afterAll(async () => {
  line.end()
  await service[Symbol.asyncDispose]()
})

function fileOf(name: string, content: string): string {
  const file = join(line.dir, name)
  writeFileSync(file, content)
  return file
}

const linesOf = (output: string) =>
  output
    .split('\n')
    .filter(Boolean)
    .map((text) => JSON.parse(text))

async function usersWith(claims: object): Promise<{ id: string; claims: object }[]> {
  return (await service.operator.post('/v1/users/search', { claims })).body.data
}

test('users are imported from CSV with quoted fields and members of claims', async () => {
  const csv = `given_name,address.city,note\r\nAda,"Queenstown, NZ","a ""quoted"" line\nand another"\r\nGrace,,\r\n\r\n`
  const file = fileOf('users.csv', `\uFEFF${csv}`)
  expect(await run(['users', 'import', file])).toEqual({ code: 0, stdout: 'Created 2 users, 0 failed\n', stderr: '' })
  const claims = { given_name: 'Ada', address: { city: 'Queenstown, NZ' }, note: 'a "quoted" line\nand another' }
  expect(await usersWith({ given_name: 'Ada' })).toMatchObject([{ claims }])
  expect((await usersWith({ given_name: 'Grace' })).map((user) => user.claims)).toEqual([{ given_name: 'Grace' }])
})

test('JSON lines can begin with a byte order mark', async () => {
  const file = fileOf('marked.jsonl', '\uFEFF{"claims": {"given_name": "Marked"}}\n')
  expect(await run(['users', 'import', file])).toEqual({ code: 0, stdout: 'Created 1 user, 0 failed\n', stderr: '' })
  const repeated = 'Created 0 users, 1 already existed, 0 failed\n'
  expect(await run(['users', 'import', file])).toEqual({ code: 0, stdout: repeated, stderr: '' })
  expect(await usersWith({ given_name: 'Marked' })).toHaveLength(1)
})

test('a repeated import creates nothing twice, and equal lines are two users', async () => {
  const rows = [
    ...Array.from({ length: 30 }, (_, row) => ({ claims: { group: 'a', row } })),
    { claims: { group: 'a' } },
  ]
  const twice = [...rows, { claims: { group: 'a' } }]
  const file = fileOf('users.jsonl', twice.map((row) => JSON.stringify(row)).join('\n'))
  const first = linesOf((await run(['users', 'import', file, '--json'])).stdout)
  const second = linesOf((await run(['users', 'import', file, '--json'])).stdout)
  const byRow = (outcomes: { row: number; id: string }[]) => outcomes.toSorted((a, b) => a.row - b.row)
  expect(new Set(first.map((outcome) => outcome.isNew))).toEqual(new Set([true]))
  expect(byRow(second)).toEqual(byRow(first).map((outcome) => ({ ...outcome, isNew: false })))
  expect(first.map((outcome) => outcome.row).toSorted((a, b) => a - b)).toEqual(twice.map((_, row) => row + 1))
  expect(await usersWith({ group: 'a' })).toHaveLength(32)
})

test('lines that cannot be imported are named, and the others are imported', async () => {
  const rows = ['{"claims": {"group": "b"}}', '{"claims": 1}', '{', '[]', '{"claims": {"group": "b"}}']
  const { code, stdout, stderr } = await run(['users', 'import', '-'], rows.join('\n'))
  expect([code, stdout]).toEqual([1, 'Created 2 users, 3 failed\n'])
  expect(stderr.split('\n').filter(Boolean).toSorted()).toEqual([
    expect.stringMatching(/^Row 2: Validation Error; .*claims/),
    expect.stringMatching(/^Row 3: The line is not valid JSON/),
    'Row 4: The line is not a JSON object.',
  ])
  expect(await usersWith({ group: 'b' })).toHaveLength(2)
})

test('credentials are found by user, claim, file and configuration, and revoked from this output', async () => {
  const listId = await newList(service, service.id)
  const [ada, grace] = await Promise.all(
    ['Ada', 'Grace'].map(
      async (name) => (await service.operator.post('/v1/users', { claims: { name, group: 'c' } })).body.id,
    ),
  )
  const configurationId = randomUUID()
  const ofAda = await newCredentials(service, service.id, { listId, userId: ada, count: 2, configurationId })
  const ofGrace = await newCredentials(service, service.id, { listId, userId: grace, from: 2 })
  const [adas, all] = [ofAda, [...ofAda, ...ofGrace]].map((made) =>
    made.map(({ credentialId }) => credentialId).toSorted(),
  )
  const find = async (...args: string[]) => {
    const { code, stdout } = await run(['credentials', 'find', '--json', ...args])
    expect(code).toBe(0)
    return linesOf(stdout)
      .map(({ id }) => id)
      .toSorted()
  }
  expect(await find('--user', ada)).toEqual(adas)
  expect(await find('--claim', 'group=c', '--claim', 'name=Ada')).toEqual(adas)
  expect(await find('--claim', 'group=c')).toEqual(all)
  expect(await find('--file', fileOf('users.txt', `${ada}\n${grace}\n`))).toEqual(all)
  expect(await find('--configuration', configurationId)).toEqual(adas)
  expect((await run(['credentials', 'find', '--user', ada])).stdout).toMatch(
    /^([\w-]{36} {2}compact {2}valid {2}20\S+Z {2}Certificate\n){2}$/,
  )

  const output = (await run(['credentials', 'find', '--user', ada, '--json'])).stdout
  const revoke = (...args: string[]) => run(['credentials', 'revoke', '--file', '-', ...args], `${output}\n`)
  expect(await revoke()).toEqual({ code: 0, stdout: 'Revoked 2 credentials, 0 failed\n', stderr: '' })
  expect((await run(['credentials', 'find', '--user', ada])).stdout).toMatch(/^(.*invalid.*\n){2}$/)
  const undone = await revoke('--undo', '--json', ...all!)
  expect(JSON.parse(undone.stdout)).toEqual({ changed: 3, failed: [] })
})

test('credentials are found by all filters together, of all users and of one', async () => {
  const [configurationId, listId] = [randomUUID(), await newList(service, service.id)]
  const made = async (day: string, more: Parameters<typeof newCredentials>[2] = {}) => {
    const [one] = await newCredentials(service, service.id, { issuedAt: new Date(day), configurationId, ...more })
    return one!.credentialId
  }
  const { id: userId } = (await service.operator.post('/v1/users', { claims: {} })).body
  const first = await made('2021-03-01T00:00:00.000Z', { userId, listId })
  const last = await made('2021-03-01T23:59:59.999Z', { userId })
  const next = await made('2021-03-02T00:00:00.000Z', { userId, profile: 'mobile' })
  const other = await made('2021-03-01T12:00:00.000Z', { configurationId: randomUUID() })
  expect((await run(['credentials', 'revoke', first])).code).toBe(0)
  const find = async (...args: string[]) => {
    const { stdout, stderr } = await run(['credentials', 'find', '--json', ...args])
    expect(stderr).toBe('')
    return linesOf(stdout).map(({ id }) => id)
  }
  const march = ['--from', '2021-03-01', '--until', '2021-03-01']
  expect(await find(...march)).toEqual([first, other, last])
  expect(await find('-c', configurationId, ...march, '--state', 'valid', '--type', 'Certificate')).toEqual([last])
  const ofUser = (...args: string[]) => find('--user', userId, ...args)
  expect(await ofUser(...march)).toEqual([first, last])
  expect(await ofUser('--state', 'revoked')).toEqual([first])
  expect(await ofUser('--credential-profile', 'mobile', '--from', '2021-03-02T01:00:00+01:00')).toEqual([next])
  expect(await ofUser('--type', 'Other')).toEqual([])
  expect(await ofUser('-c', randomUUID())).toEqual([])
})

test('credentials that cannot be revoked are named', async () => {
  const [plain] = await newCredentials(service, service.id)
  const outcome = await run(['credentials', 'revoke', plain!.credentialId])
  expect(outcome).toMatchObject({ code: 1, stdout: 'Revoked 0 credentials, 1 failed\n' })
  expect(outcome.stderr).toBe(`${plain!.credentialId}: This credential is not revocable\n`)
  for (const [args, message] of [
    [['find'], 'Give at least one option: --user, --claim, --file, --configuration, --state'],
    [['find', '--state', 'invalid'], '--state must be valid, revoked, suspended or expired'],
    [['find', '--credential-profile', 'paper'], '--credential-profile must be compact,'],
    [['find', '--from', 'yesterday'], '--from must be a day'],
    [['find', '--until', '2026-02-30'], '--until must be a day'],
    [['find', '--until', '2026-02-30T10:00:00Z'], '--until must be a day'],
    [['find', '--from', '2026-03-02', '--until', '2026-03-01'], '--from must not be after --until'],
    [['find', '--claim', 'Ada'], '--claim must be NAME=VALUE'],
    [['revoke'], 'Give ids of credentials'],
    [['revoke', '--file', fileOf('wrong.txt', `\ufeff${randomUUID()}\n{"name": 1}`)], 'Line 2 of '],
    [
      ['revoke', '--file', fileOf('words.txt', `${randomUUID()}\n\nAda\n`)],
      'words.txt is not an id, or JSON with an id: Ada',
    ],
    [['revoke', '--file', 'missing.txt'], 'missing.txt cannot be read'],
  ] as const)
    expect(await run(['credentials', ...args])).toMatchObject({ code: 1, stderr: expect.stringContaining(message) })
})

test('a webhook is triggered, and its deliveries are repeated', async () => {
  await using receiver = await startReceiver()
  const body = { events: ['OpenIdCredentialIssued'], url: receiver.url }
  const { id } = (await service.operator.post('/v1/webhooks', body)).body
  const triggered = await run(['webhooks', 'trigger', id])
  expect([triggered.code, triggered.stderr]).toEqual([0, ''])
  expect(triggered.stdout).toMatch(/^[\w-]{36} {2}OpenIdCredentialIssued {2}delivered\n {2}20\S+Z {2}200 {2}\d+ ms/)
  const [delivery] = (await service.operator.get(`/v1/webhooks/${id}/deliveries`)).body.data

  expect(await run(['webhooks', 'replay', id, '--since', '1h'])).toMatchObject({
    stdout: 'Queued 1 delivery again\n',
  })
  await expect.poll(() => receiver.deliveries.length).toBe(2)
  await expect
    .poll(async () => (await service.operator.get(`/v1/webhooks/${id}/deliveries`)).body.data[0].status)
    .toBe('delivered')
  const one = await run(['webhooks', 'replay', id, '--delivery', delivery.id, '--json'])
  expect(JSON.parse(one.stdout)).toMatchObject({ id: delivery.id, status: 'pending' })
  await expect.poll(() => receiver.deliveries.length).toBe(3)
  const none = await run(['webhooks', 'replay', id, '--since', '1h', '--status', 'failed', '--json'])
  expect(JSON.parse(none.stdout)).toEqual({ replayed: 0 })
  for (const [args, message] of [
    [['trigger'], 'Give the id of one webhook'],
    [['replay', id], 'Give --since or --delivery'],
    [['replay', id, '--since', 'x'], '--since must be a time'],
    [['replay', id, '--since', '1h', '--status', 'x'], '--status must be'],
  ] as const)
    expect(await run(['webhooks', ...args])).toMatchObject({ code: 1, stderr: expect.stringContaining(message) })
})

test('certificates are listed with their ends', async () => {
  const { id } = await activeIaca(service, { notAfter: new Date(Date.now() + 90 * 86_400_000).toISOString() })
  const all = JSON.parse((await run(['certificates', 'list', '--json'])).stdout)
  expect(all).toContainEqual(expect.objectContaining({ kind: 'iaca', id, active: true }))
  expect((await run(['certificates', 'list', '--ending', '91d'])).stdout).toContain(id)
  expect((await run(['certificates', 'list', '--ending', '89d'])).stdout).not.toContain(id)
})

/** Adds a row to the audit and publishes a checkpoint. */
async function publishCheckpoint(): Promise<void> {
  const change = changesBy(service.deps, { event: 'TEST', clientId: 'test' })
  await change(async (_tx, record) => record(service.id, {}))
  service.clock.advance(3_600_000)
  await runNow(service.deps.bus, 'queueDueCheckpoints', 'signing-bulk')
}

test('the audit is compared with the checkpoints of earlier runs, and a changed audit is found', async () => {
  await publishCheckpoint()
  const first = await run(['audit', 'verify'])
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('There is no earlier checkpoint') })
  const { stored, size } = JSON.parse((await run(['audit', 'verify', '--json'])).stdout)
  await publishCheckpoint()
  await expect
    .poll(async () => Number((await service.anonymous.get('/v1/audit/checkpoint')).body.split('\n')[1]))
    .toBeGreaterThan(size)
  // Some programs save a file with a byte order mark.
  const kept = fileOf('kept.txt', `\ufeff${readFileSync(stored, 'utf8')}`)
  const later = JSON.parse((await run(['audit', 'verify', '--checkpoint', kept, '--json'])).stdout)
  expect(later).toMatchObject({ comparedWith: [kept, stored] })
  expect(later.size).toBeGreaterThan(size)

  const note = readFileSync(kept, 'utf8')
  for (const [content, message] of [
    [note.replace(`\n${size}\n`, `\n${size + 1}\n`), 'is not signed by a key of the audit'],
    ['', 'is not signed by a key of the audit'],
  ] as const) {
    const outcome = await run(['audit', 'verify', '--checkpoint', fileOf('forged.txt', content)])
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining(message) })
  }

  const ofTenant = eq(auditCheckpoints.tenantId, service.id)
  const before = await service.deps.db.read.select().from(auditCheckpoints).where(ofTenant)
  const forged = await signCheckpoint(
    { origin: `${service.host}/v1/audit`, size: later.size, root: Buffer.alloc(32) },
    testSigner(generateKeyPairSync('ed25519')),
  )
  await service.deps.db.tx((tx) =>
    tx
      .update(auditCheckpoints)
      .set({ note: forged })
      .where(and(ofTenant, eq(auditCheckpoints.size, later.size))),
  )
  expect(await run(['audit', 'verify'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('of the service is not signed'),
  })
  expect(before.length).toBeGreaterThan(1)
})

test('the doctor finds no error in a service that works', async () => {
  const { code, stdout } = await run(['doctor', '--json'])
  const findings: { check: string; status: string; message: string }[] = JSON.parse(stdout)
  expect(findings.filter(({ status }) => status === 'error')).toEqual([])
  expect(code).toBe(0)
  expect([...new Set(findings.map(({ check }) => check))]).toEqual([
    ...['settings', 'dns', 'tls', 'service', 'clock', 'credentials', 'published', 'certificates', 'status lists'],
    ...['webhooks', 'work', 'queues', 'keys'],
  ])
  const statusOf = (name: string) => findings.find(({ check }) => check === name)?.status
  expect(['dns', 'clock', 'credentials', 'tls', 'queues'].map(statusOf)).toEqual([
    ...['ok', 'ok', 'ok', 'skipped', 'skipped'],
  ])
})

test('the doctor finds a wrong clock, a service that is not ready, readable secrets and a refused client', async () => {
  const server = createServer((request, response) => {
    const isReady = request.url === '/health/ready'
    const date = new Date(Date.now() - 3_600_000).toUTCString()
    response.writeHead(isReady ? 503 : 401, { Date: date, 'Content-Type': 'application/json' })
    response.end(isReady ? '{"checks": {"redis": "unavailable", "database": "ok"}, "problems": ["Start Redis"]}' : '{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const profile = { baseUrl, clientId: 'id', clientSecret: 'secret' }
  const file = fileOf('profiles.json', JSON.stringify({ profiles: { default: profile } }))
  expect(statSync(file).mode & 0o077).not.toBe(0)
  const { code, stdout } = await line.run(['doctor'], { env: { TRUSTWRIGHT_CONFIG: file } })
  server.close()
  expect(code).toBe(1)
  expect(stdout).toMatch(/^warning {2}settings +Other users can read/m)
  expect(stdout).toMatch(/^error {4}service +redis is unavailable\nerror {4}service +Start Redis$/m)
  expect(stdout).toMatch(/^error {4}clock +This clock is 3(599|600|601) s ahead of that of the service$/m)
  expect(stdout).toMatch(/^error {4}credentials +The response has the status 401$/m)
})

test('the doctor finds an address that does not answer, and one without https', async () => {
  const env = { TRUSTWRIGHT_CLIENT_ID: 'id', TRUSTWRIGHT_CLIENT_SECRET: 'secret', TRUSTWRIGHT_CONFIG: 'none' }
  const secure = await line.run(['doctor'], { env: { ...env, TRUSTWRIGHT_BASE_URL: 'https://127.0.0.1:1' } })
  expect(secure.stdout).toMatch(/^error {4}tls +connect ECONNREFUSED/m)
  const unknown = await line.run(['doctor'], { env: { ...env, TRUSTWRIGHT_BASE_URL: 'http://unknown.invalid' } })
  expect(unknown.stdout).toMatch(/^error {4}dns +getaddrinfo/m)
  expect(unknown.stdout).toMatch(/^warning {2}settings .* is not https/m)
})
