import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { and, asc, eq, gt } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Writer } from '../../../db/client.ts'
import { deleteKeys, tenantOwner } from '../../../db/repos/identifiers/keys.ts'
import { findAuditSize, findDueCheckpoints } from '../../../db/repos/operations/audit/audit-checkpoints.ts'
import { hashOfAuditRow } from '../../../db/repos/operations/audit/audit-hash.ts'
import { changesBy } from '../../../db/repos/operations/audit/audited.ts'
import { auditCheckpoints } from '../../../db/tables/operations/audit-checkpoints.ts'
import { auditEvents } from '../../../db/tables/operations/audit-events.ts'
import { auditHeads } from '../../../db/tables/operations/audit-heads.ts'
import { type Checkpoint, ed25519KeysOf, openCheckpoint } from '../../../shared/formats/checkpoint.ts'
import { isConsistent, isIncluded } from '../../../shared/formats/merkle-tree.ts'
import { createApi } from '../../harness/api-client.ts'
import { eventually, type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { runNow } from '../../harness/run-now.ts'
import { inherited } from '../../harness/started.ts'
import { startReceiver } from '../../servers/receiver.ts'

const hourMs = 3_600_000

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

/** Adds rows to the audit of a tenant. */
async function addRows({ id }: TestTenant, count: number): Promise<void> {
  const change = changesBy(service.deps, { event: 'TEST', clientId: 'test' })
  await change(async (_tx, record) => {
    for (let row = 0; row < count; row++) record(id, { row })
  })
}

async function publish(): Promise<void> {
  service.clock.advance(hourMs)
  await runNow(service.deps.bus, 'queueDueCheckpoints', 'signing-bulk')
}

const keysOf = async ({ anonymous }: TestTenant) => ed25519KeysOf((await anonymous.get('/v1/audit/jwks')).body)

async function checkpointOf(tenant: TestTenant, query = ''): Promise<Checkpoint> {
  const { status, body, headers } = await tenant.anonymous.get(`/v1/audit/checkpoint${query}`)
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
  const opened = openCheckpoint(body, await keysOf(tenant))
  expect(opened).toMatchObject({ origin: `${tenant.host}/v1/audit` })
  return opened!
}

const inBytes = (hashes: string[]) => hashes.map((each) => Buffer.from(each, 'base64'))

test('the first checkpoint of a tenant does not wait behind those of others', async () => {
  const earlier = await service.addTenant()
  await addRows(earlier, 1)
  await publish()
  await checkpointOf(earlier)
  await addRows(earlier, 1)
  const tenant = await service.addTenant()
  await addRows(tenant, 1)
  const due = await findDueCheckpoints(service.deps.db.read, new Date(service.clock.now().getTime() + hourMs), 100)
  const order = due.map(({ tenantId }) => tenantId)
  expect(order).toContain(earlier.id)
  expect(order.indexOf(tenant.id)).toBeLessThan(order.indexOf(earlier.id))
})

test('a checkpoint covers all rows of the audit, and each row and each earlier checkpoint is proven', async () => {
  const tenant = await service.addTenant()
  await addRows(tenant, 300)
  await publish()
  const first = await checkpointOf(tenant)
  expect(first.size).toBe(await findAuditSize(service.deps.db.read, tenant.id))
  await addRows(tenant, 450)
  await publish()
  const second = await checkpointOf(tenant)
  expect(second.size).toBe(first.size + 450)
  expect(await checkpointOf(tenant, `?size=${first.size}`)).toEqual(first)

  const rows = await service.deps.db.read
    .select({ number: auditEvents.number })
    .from(auditEvents)
    .where(eq(auditEvents.tenantId, tenant.id))
  expect(rows).toHaveLength(second.size)
  for (const [number, { size, root }] of [
    [1, first],
    [256, first],
    [257, first],
    [first.size, first],
    [1, second],
    [512, second],
    [513, second],
    [second.size, second],
  ] as const) {
    const { status, body } = await tenant.operator.get(`/v1/audit/proof?number=${number}&size=${size}`)
    expect([status, body.number, body.size]).toEqual([200, number, size])
    const leaf = Buffer.from(body.leaf, 'base64')
    expect(isIncluded({ index: number - 1, size, leaf, root }, inBytes(body.hashes))).toBe(true)
  }
  const { body } = await tenant.operator.get(`/v1/audit/consistency?from=${first.size}`)
  expect([body.from, body.to]).toEqual([first.size, second.size])
  expect(isConsistent(first, second, inBytes(body.hashes))).toBe(true)
})

test('a checkpoint is made once an hour, and only for new rows', async () => {
  const tenant = await service.addTenant()
  const sizes = async () =>
    (
      await service.deps.db.read
        .select({ size: auditCheckpoints.size })
        .from(auditCheckpoints)
        .where(eq(auditCheckpoints.tenantId, tenant.id))
    ).map(({ size }) => size)
  await addRows(tenant, 1)
  await publish()
  const made = await sizes()
  expect(made).toHaveLength(1)
  await publish()
  expect(await sizes()).toEqual(made)
  await addRows(tenant, 1)
  await runNow(service.deps.bus, 'queueDueCheckpoints', 'signing-bulk')
  expect((await sizes()).length).toBe(2)
  await addRows(tenant, 1)
  await runNow(service.deps.bus, 'queueDueCheckpoints', 'signing-bulk')
  expect((await sizes()).length).toBe(2)
  await publish()
  expect((await sizes()).length).toBe(3)
})

test('unknown sizes and numbers are refused by name, and other tenants and roles see no proof', async () => {
  const [tenant, other] = [await service.addTenant(), await service.addTenant()]
  const none = await tenant.operator.get('/v1/audit/proof?number=1')
  expect(none).toMatchObject({ status: 404, body: { message: expect.stringContaining('no checkpoint yet') } })
  expect(await tenant.anonymous.get('/v1/audit/checkpoint')).toMatchObject({ status: 404 })
  await addRows(tenant, 3)
  await publish()
  const { size } = await checkpointOf(tenant)
  const refusals = [
    [`proof?number=${size + 1}`, 'number', `The checkpoint has ${size} entries`],
    ['proof?number=0', 'number', 'Must be a number from 1 to 2147483647'],
    ['proof?number=1&size=1', 'size', 'No checkpoint has this size'],
    ['checkpoint?size=1', 'size', 'No checkpoint has this size'],
    ['consistency?from=1', 'from', 'No checkpoint has this size'],
    ['consistency', 'from', ''],
  ] as const
  for (const [path, param, msg] of refusals) {
    const { status, body } = await tenant.operator.get(`/v1/audit/${path}`)
    expect([path, status]).toEqual([path, 400])
    expect(body.details).toMatchObject([{ param, location: 'query', msg: expect.stringContaining(msg) }])
  }
  expect(await (await tenant.as('issuer')).get('/v1/audit/proof?number=1')).toMatchObject({ status: 403 })
  expect(await (await tenant.as('auditor')).get('/v1/audit/proof?number=1')).toMatchObject({ status: 200 })
  expect(await other.operator.get(`/v1/audit/proof?number=1&size=${size}`)).toMatchObject({ status: 400 })
})

test('a webhook with the event gets each checkpoint once, and no other webhook gets it', async () => {
  const [tenant, other] = [await service.addTenant(), await service.addTenant()]
  await using receiver = await startReceiver()
  const subscribe = ({ operator }: TestTenant, events: string[]) =>
    operator.post('/v1/webhooks', { events, url: receiver.url })
  await subscribe(tenant, ['AuditCheckpointSigned'])
  await subscribe(other, ['OpenIdCredentialIssued'])
  const notes: string[] = []
  for (const count of [1, 2]) {
    await addRows(tenant, 1)
    await addRows(other, 1)
    await publish()
    notes.push((await tenant.anonymous.get('/v1/audit/checkpoint')).body)
    await eventually(async () => receiver.deliveries.length === count)
  }
  await publish()
  const { size } = await checkpointOf(tenant)
  const event = { id: expect.any(String), type: 'AuditCheckpointSigned', timestamp: expect.any(String) }
  expect(receiver.deliveries.map(({ body }) => body.event)).toEqual([
    { ...event, payload: { size: size - 1, checkpoint: notes[0] } },
    { ...event, payload: { size, checkpoint: notes[1] } },
  ])
  for (const { headers } of receiver.deliveries)
    expect(headers).toMatchObject({ 'x-mattr-event-type': 'AuditCheckpointSigned', signature: expect.any(String) })
})

test('the platform serves checkpoints and proofs of its own audit at its host', async () => {
  await service.addTenant()
  await publish()
  const { platform, deps, origin } = service
  const { platformHost } = deps.config
  const atPlatform = createApi(origin, platformHost)
  const keys = ed25519KeysOf((await atPlatform.get('/v1/audit/jwks')).body)
  const opened = openCheckpoint((await atPlatform.get('/v1/audit/checkpoint')).body, keys)
  expect(opened).toMatchObject({ origin: `${platformHost}/v1/audit` })
  const { size = 0, root = Buffer.alloc(0) } = opened ?? {}
  const { status, body } = await platform.get(`/v1/audit/proof?number=${size}`)
  expect(status).toBe(200)
  const leaf = Buffer.from(body.leaf, 'base64')
  expect(isIncluded({ index: size - 1, size, leaf, root }, inBytes(body.hashes))).toBe(true)
  expect(await platform.get(`/v1/audit/consistency?from=${size}`)).toMatchObject({ status: 200 })
  expect(await atPlatform.get('/v1/audit/proof?number=1')).toMatchObject({ status: 401 })
})

/** Runs the command as an operator does. */
function verifyAudit(...words: string[]): Promise<{ code: number; err: string[] }> {
  const { databaseUrl, dataDir } = service.deps.config
  const env = { ...inherited(), DATA_DIR: dataDir, DATABASE_URL: databaseUrl }
  const script = join(import.meta.dirname, '../../../db/cli/verify-audit.ts')
  return new Promise((resolve) =>
    execFile(process.execPath, [script, ...words], { env }, (error, _stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, err: stderr.split('\n').filter(Boolean) }),
    ),
  )
}

/** Changes a row, and replaces all later rows and the head to match, as a person with write access to the database can do. */
async function rewriteFrom(tx: Writer, tenantId: string, number: number): Promise<void> {
  const rows = await tx
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.tenantId, tenantId), gt(auditEvents.number, number - 2)))
    .orderBy(asc(auditEvents.number))
  let { hash } = rows.shift()!
  for (const row of rows) {
    const forged = { ...row, data: { ...row.data, ...(row.number === number && { forged: true }) }, previousHash: hash }
    hash = hashOfAuditRow(forged)
    await tx
      .update(auditEvents)
      .set({ data: forged.data, previousHash: forged.previousHash, hash })
      .where(and(eq(auditEvents.tenantId, tenantId), eq(auditEvents.number, row.number)))
  }
  await tx.update(auditHeads).set({ hash }).where(eq(auditHeads.tenantId, tenantId))
}

test('a rewritten chain is found against the stored checkpoints, and against one from elsewhere if those are removed', async () => {
  const tenant = await service.addTenant()
  await addRows(tenant, 5)
  await publish()
  const first = await checkpointOf(tenant)
  await addRows(tenant, 5)
  await publish()
  const second = await checkpointOf(tenant)
  const folder = mkdtempSync(join(tmpdir(), 'trustwright-test-'))
  const [checkpoint, keys] = [join(folder, 'checkpoint.txt'), join(folder, 'jwks.json')]
  writeFileSync(checkpoint, (await tenant.anonymous.get('/v1/audit/checkpoint')).body)
  writeFileSync(keys, JSON.stringify((await tenant.anonymous.get('/v1/audit/jwks')).body))
  expect(await verifyAudit('--checkpoint', checkpoint, '--keys', keys)).toEqual({ code: 0, err: [] })

  await service.deps.db.tx((tx) => rewriteFrom(tx, tenant.id, first.size + 2))
  const replaced = `tenant ${tenant.id}: rows ${first.size + 1} to ${second.size} were replaced: they differ from the checkpoint of ${second.size} rows`
  expect(await verifyAudit()).toEqual({ code: 1, err: [replaced] })

  await service.deps.db.tx(async (tx) => {
    const ofSecond = and(eq(auditCheckpoints.tenantId, tenant.id), eq(auditCheckpoints.size, second.size))
    await tx.delete(auditCheckpoints).where(ofSecond)
  })
  expect(await verifyAudit()).toEqual({ code: 0, err: [] })
  expect(await verifyAudit('--checkpoint', checkpoint, '--keys', keys)).toEqual({ code: 1, err: [replaced] })

  await service.deps.db.tx(async (tx) => {
    const note = (await tenant.anonymous.get('/v1/audit/checkpoint')).body.replace(
      `\n${first.size}\n`,
      `\n${first.size}1\n`,
    )
    await tx.update(auditCheckpoints).set({ note }).where(eq(auditCheckpoints.tenantId, tenant.id))
  })
  const unsigned = `tenant ${tenant.id}: the checkpoint of ${first.size} rows has no valid signature`
  expect(await verifyAudit()).toEqual({ code: 1, err: [unsigned] })
  writeFileSync(checkpoint, 'unknown.example/v1/audit\n1\n')
  const unknown = `${checkpoint}: no tenant has the host of the checkpoint`
  expect(await verifyAudit('--checkpoint', checkpoint)).toEqual({ code: 1, err: [unknown] })
})

// Last, because management tokens end in five years.
test('checkpoints of a replaced key still verify, and a tenant without a key gets one', async () => {
  const tenant = await service.addTenant()
  await service.deps.db.tx((tx) => deleteKeys(tx, tenant.id, tenantOwner, 'audit', new Date()))
  expect(await keysOf(tenant)).toEqual([])
  await addRows(tenant, 1)
  await publish()
  const first = await checkpointOf(tenant)
  expect(await tenant.operator.post('/v1/keys/audit/rotate')).toMatchObject({ status: 201 })
  await publish()
  service.clock.advance(5 * 365 * 24 * hourMs)
  const second = await checkpointOf(tenant)
  expect(second.size).toBeGreaterThan(first.size)
  expect(await checkpointOf(tenant, `?size=${first.size}`)).toEqual(first)
  expect(await keysOf(tenant)).toHaveLength(2)
})
