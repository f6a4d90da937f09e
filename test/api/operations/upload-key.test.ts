import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { DatabaseUnavailable } from '../../../db/engine/unavailable.ts'
import { bulkFileChunks } from '../../../db/tables/issuance/bulk-issuances.ts'
import { auditEvents } from '../../../db/tables/operations/audit-events.ts'
import { idempotencyKeys } from '../../../db/tables/operations/idempotency-keys.ts'
import { bulkChunkBytes } from '../../../shared/domain/issuance/bulk-issuances.ts'
import { compactConfiguration } from '../../harness/factories.ts'
import { eventually, type Service, startService, type TestTenant, tokenOf } from '../../harness/harness.ts'
import { bulkFields, csvFile, type FormEntry, pdf, uploadWith } from '../../harness/uploads.ts'

const path = '/v1/bulk-issuances'
const reused = { status: 422, body: { code: 'IdempotencyKeyReused' } }
let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const withKey = (key: string) => ({ 'idempotency-key': key })

function keysOf({ id }: TestTenant): Promise<number> {
  return service.deps.db.read.$count(idempotencyKeys, eq(idempotencyKeys.tenantId, id))
}

async function newTenant(settings: Record<string, unknown> = {}) {
  const tenant = await service.addTenant(settings)
  const { operator } = tenant
  const fields = bulkFields(await compactConfiguration(tenant), { validateOnly: 'true' })
  const upload = (key: string, file = csvFile(), entries: FormEntry[] = fields) =>
    uploadWith(operator, path, withKey(key), [['file', file], ...entries])
  const bulks = async () => (await operator.get(path)).body.data.map(({ id }: { id: string }) => id)
  return { tenant, operator, fields, upload, bulks }
}

test('a repeated upload gets the answer of the first one, and nothing is stored twice', async () => {
  const { tenant, upload, bulks, fields } = await newTenant()
  const first = await upload('key-1')
  expect(first).toMatchObject({ status: 202 })
  expect(first.headers).not.toHaveProperty('idempotency-replayed')
  const again = await upload('"key-1"')
  expect(again).toMatchObject({ status: 202, body: first.body, headers: { 'idempotency-replayed': 'true' } })
  expect(await upload('key-1', csvFile(), fields.toReversed())).toMatchObject({ status: 202, body: first.body })
  expect(await bulks()).toEqual([first.body.id])
  const { id } = tenant
  const made = and(eq(auditEvents.tenantId, id), eq(auditEvents.type, 'BULK_ISSUANCE_CREATE_AUDIT'))
  expect(await service.deps.db.read.$count(auditEvents, made)).toBe(1)
  expect((await upload('key-2')).body.id).not.toBe(first.body.id)
})

test('a key belongs to one file, its name, its fields, one operation and one caller', async () => {
  const { tenant, operator, fields, upload, bulks } = await newTenant()
  const { body } = await upload('mine')
  expect(await upload('mine', csvFile('number,name\n1,Eve\n'))).toMatchObject(reused)
  expect(await upload('mine', csvFile(undefined, 'people.jsonl'))).toMatchObject(reused)
  expect(await upload('mine', csvFile(), bulkFields(fields[1]![1] as string))).toMatchObject(reused)
  expect(await operator.post('/v1/users', { claims: {} }, withKey('mine'))).toMatchObject(reused)
  expect(await operator.post('/v1/users', { claims: {} }, withKey('user'))).toMatchObject({ status: 201 })
  expect(await upload('user')).toMatchObject(reused)
  expect(await bulks()).toEqual([body.id])
  const other = await uploadWith(await tenant.as('admin'), path, withKey('mine'), [['file', csvFile()], ...fields])
  expect(other.status).toBe(202)
  expect(await bulks()).toHaveLength(2)
})

test('a repeated upload is answered although the tenant has as many bulk issuances as it may have', async () => {
  const { upload, bulks } = await newTenant({ limits: { bulkIssuances: 1 } })
  const { body } = await upload('only')
  expect(await upload('other')).toMatchObject({ status: 409 })
  expect(await upload('only')).toMatchObject({ status: 202, body })
  expect(await bulks()).toEqual([body.id])
})

test('of uploads at the same time one is stored, and the others get its answer', async () => {
  const { tenant, upload, bulks } = await newTenant()
  const answers = await Promise.all(Array.from({ length: 3 }, () => upload('same')))
  const ids = await bulks()
  expect(ids).toHaveLength(1)
  expect(answers.map(({ status, body }) => [status, body.id])).toEqual(answers.map(() => [202, ids[0]]))
  expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1)
  expect(await keysOf(tenant)).toBe(1)
})

test('different files at the same time under one key: one is stored, and the others are refused', async () => {
  const { upload, bulks } = await newTenant()
  const files = ['Ada', 'Eve', 'Mia'].map((name) => csvFile(`number,name\n1,${name}\n`))
  const statuses = (await Promise.all(files.map((file) => upload('same', file)))).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([202, 422, 422])
  expect(await bulks()).toHaveLength(1)
})

/** Sends the form up to the end of its file. */
async function beginUpload({ tenant, fields }: Awaited<ReturnType<typeof newTenant>>, key: string, content: string) {
  const { host, clientId, clientSecret } = tenant
  const authorization = `Bearer ${await tokenOf(service.origin, host, clientId, clientSecret)}`
  const headers = { host, authorization, 'content-type': 'multipart/form-data; boundary=x', ...withKey(key) }
  const { port } = new URL(service.origin)
  const sending = httpRequest({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: false })
  sending.on('error', () => {})
  for (const [name, value] of fields)
    sending.write(`--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
  sending.write(`--x\r\nContent-Disposition: form-data; name="file"; filename="people.csv"\r\n\r\n${content}`)
  const stored = () => service.deps.db.read.$count(bulkFileChunks, eq(bulkFileChunks.tenantId, tenant.id))
  await eventually(async () => (await stored()) > 0)
  return sending
}

const longFile = `number,name\n${'1,Ada\n'.repeat(bulkChunkBytes / 4)}`

test('an upload whose key was taken by the same file meanwhile is undone, and gets its answer', async () => {
  const own = await newTenant()
  const slow = await beginUpload(own, 'slow', longFile)
  const fast = await own.upload('slow', csvFile(longFile))
  expect(fast).toMatchObject({ status: 202 })
  const answered = once(slow, 'response')
  slow.end('\r\n--x--\r\n')
  const [response] = (await answered) as [IncomingMessage]
  expect(response).toMatchObject({ statusCode: 202, headers: { 'idempotency-replayed': 'true' } })
  expect(JSON.parse((await response.toArray()).join(''))).toEqual(fast.body)
  expect(await own.bulks()).toEqual([fast.body.id])
})

test('an upload that is cut off or refused leaves its key free', async () => {
  const own = await newTenant()
  const cut = await beginUpload(own, 'free', longFile)
  cut.destroy()
  await eventually(async () => (await own.bulks()).length === 0)
  expect(await own.upload('free', csvFile(''))).toMatchObject({ status: 400 })
  expect(await own.upload('free')).toMatchObject({ status: 202 })
  expect(await own.bulks()).toHaveLength(1)
})

test('an upload whose process got no reply to the commit is answered when it is repeated', async () => {
  const { tenant, upload, bulks } = await newTenant()
  const { db } = service.deps
  const { tx } = db
  const spied = vi.spyOn(db, 'tx').mockImplementation(async (work, options) => {
    const result = await tx(work, options)
    if ((await keysOf(tenant)) === 0) return result
    spied.mockRestore()
    throw new DatabaseUnavailable('the reply to the commit was lost')
  })
  expect(await upload('lost')).toMatchObject({ status: 503 })
  const ids = await bulks()
  expect(ids).toHaveLength(1)
  expect(await upload('lost')).toMatchObject({ status: 202, body: { id: ids[0] } })
  expect(await bulks()).toEqual(ids)
})

test('a PDF file about a participant is not stored twice', async () => {
  const { operator } = await service.addTenant()
  const ecosystems = '/v1/ecosystems'
  const { body: ecosystem } = await operator.post(ecosystems, { name: 'Schools' })
  const participants = `${ecosystems}/${ecosystem.id}/participants`
  const { body: participant } = await operator.post(participants, { name: 'School' })
  const evidence = `${participants}/${participant.id}/evidence`
  const upload = (content: string) => uploadWith(operator, evidence, withKey('pdf'), [['file', pdf(content)]])
  const first = await upload('%PDF-1.7 one')
  expect(first).toMatchObject({ status: 201 })
  expect(await upload('%PDF-1.7 one')).toMatchObject({ status: 201, body: first.body })
  expect(await upload('%PDF-1.7 two')).toMatchObject(reused)
  expect((await operator.get(evidence)).body.data).toEqual([first.body])
})
