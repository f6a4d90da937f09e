import { randomUUID } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { uploadBulk } from '../../../api/issuance/bulk/upload.ts'
import { insertBulkIssuance } from '../../../db/repos/issuance/bulk/bulk-issuances.ts'
import { changesBy } from '../../../db/repos/operations/audit/audited.ts'
import { bulkFileChunks, bulkIssuances, bulkRows } from '../../../db/tables/issuance/bulk-issuances.ts'
import { bulkChunkBytes } from '../../../shared/domain/issuance/bulk-issuances.ts'
import { newId } from '../../../shared/ids.ts'
import { bulkChunkContext } from '../../../shared/secrets/stored-contexts.ts'
import {
  compactConfiguration,
  mdlConfiguration,
  sdJwtConfiguration,
  semanticConfiguration,
  webConfiguration,
} from '../../harness/factories.ts'
import { eventually, type Service, startService, type TestTenant, tokenOf } from '../../harness/harness.ts'
import { bulkFields, csvFile, uploadTo } from '../../harness/uploads.ts'

const path = '/v1/bulk-issuances'
let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

async function newTenant(settings: Record<string, unknown> = {}) {
  const tenant = await service.addTenant(settings)
  const configurationId = await compactConfiguration(tenant)
  const upload = (file = csvFile(), extra: Record<string, string> = {}, id = configurationId) =>
    uploadTo(tenant.operator, path, ['file', file], ...bulkFields(id, extra))
  return { tenant, operator: tenant.operator, configurationId, upload }
}

const stored = (table: typeof bulkFileChunks | typeof bulkIssuances | typeof bulkRows, { id }: TestTenant) =>
  service.deps.db.read.$count(table, eq(table.tenantId, id))

/** Runs the purge job now. */
async function purge(): Promise<void> {
  const { bus } = service.deps
  const id = `now-${newId()}`
  await bus.send('purgeExpired', {}, { id })
  await eventually(async () => (await bus.queue('upkeep').getJob(id)) === undefined)
}

test('a file is uploaded, shown, listed and deleted with everything of it', async () => {
  const { tenant, operator, configurationId, upload } = await newTenant()
  const sent = await upload(csvFile('number,name\n1,Ada\n', 'term/students.csv'), { validateOnly: 'true' })
  expect([sent.status, sent.body]).toEqual([202, { id: expect.any(String) }])
  const { body } = await operator.get(`${path}/${sent.body.id}`)
  expect(body).toMatchObject({
    id: sent.body.id,
    mode: 'sign',
    configurationIds: [configurationId],
    fileName: 'students.csv',
    sizeBytes: 18,
    startedBy: { clientId: tenant.clientId },
    createdAt: expect.stringMatching(/Z$/),
  })
  expect((await operator.get(path)).body.data.map(({ id }: { id: string }) => id)).toEqual([sent.body.id])
  const answers = await Promise.all([1, 2, 3].map(() => operator.delete(`${path}/${sent.body.id}`)))
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404])
  expect(await operator.get(`${path}/${sent.body.id}`)).toMatchObject({ status: 404 })
  expect((await operator.get(path)).body.data).toEqual([])
  service.clock.advance(1)
  await purge()
  expect(await Promise.all([bulkIssuances, bulkFileChunks, bulkRows].map((each) => stored(each, tenant)))).toEqual([
    0, 0, 0,
  ])
})

test('the file is stored in sealed chunks of its own bulk issuance', async () => {
  const { tenant, upload } = await newTenant()
  await service.workers.stop()
  const content = Buffer.from(`number,name\n${'1,Ada\n'.repeat(bulkChunkBytes / 5)}`)
  const { id } = (await upload(csvFile(content), { onDuplicate: 'skip' })).body
  const chunks = await service.deps.db.read
    .select()
    .from(bulkFileChunks)
    .where(eq(bulkFileChunks.tenantId, tenant.id))
    .orderBy(bulkFileChunks.position)
  expect(chunks.length).toBe(2)
  expect(chunks.some((chunk) => chunk.content.includes('1,Ada\n1,Ada'))).toBe(false)
  const open = (position: number, of = position) =>
    service.deps.secrets.openBytes(chunks[position]!.content, bulkChunkContext(id, of))
  expect(Buffer.concat([open(0), open(1)]).equals(content)).toBe(true)
  expect(() => open(0, 1)).toThrow()
  await service.workers.start()
})

test('an upload that is cut off leaves nothing, and a killed one is removed later', async () => {
  const { tenant, operator, configurationId } = await newTenant()
  const cut = async () => {
    const { host, clientId, clientSecret } = tenant
    const authorization = `Bearer ${await tokenOf(service.origin, host, clientId, clientSecret)}`
    const headers = { host, authorization, 'content-type': 'multipart/form-data; boundary=x' }
    const { port } = new URL(service.origin)
    const sending = httpRequest({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: false })
    sending.on('error', () => {})
    for (const [name, value] of bulkFields(configurationId))
      sending.write(`--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    sending.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nnumber,name\n')
    sending.write('1,Ada\n'.repeat(bulkChunkBytes / 4))
    await eventually(async () => (await stored(bulkFileChunks, tenant)) > 0)
    return sending
  }
  const sending = await cut()
  expect((await operator.get(path)).body.data).toMatchObject([{ state: 'receiving' }])
  sending.destroy()
  await eventually(async () => (await operator.get(path)).body.data.length === 0)
  service.clock.advance(1)
  await purge()
  expect([await stored(bulkIssuances, tenant), await stored(bulkFileChunks, tenant)]).toEqual([0, 0])

  const other = await cut()
  // The process of a killed upload does not abandon it.
  service.clock.advance(11 * 60_000)
  await purge()
  await eventually(async () => (await stored(bulkFileChunks, tenant)) === 0)
  expect(await stored(bulkIssuances, tenant)).toBe(0)
  other.destroy()
})

test('an upload whose process has ended is invisible after 30 s, and does not count', async () => {
  const { tenant, operator, upload } = await newTenant({ limits: { bulkIssuances: 1 } })
  const id = newId()
  const at = service.clock.now()
  const by = { startedBy: newId(), starter: 'client' } as const
  const stalled = Promise.withResolvers<void>()
  async function* stream() {
    yield Buffer.from('number,given_name\n')
    await stalled.promise
  }
  const sent = {
    tenantId: tenant.id,
    fileName: 'a.csv',
    by,
    stream: stream(),
    settings: (): never => {
      throw new Error('the upload is not completed')
    },
    commit: async () => {},
  }
  // The process is alive, so that the upload stays.
  const alive = uploadBulk(service.deps, changesBy(service.deps, { event: 'TEST' }), sent, 10).catch(
    (error: unknown) => error,
  )
  const uploads = async () => (await operator.get(path)).body.data
  await eventually(async () => (await uploads()).length === 1)
  for (let seconds = 0; seconds < 60; seconds += 20) {
    service.clock.advance(20_000)
    const until = service.clock.now().getTime() + 25_000
    const rows = () => service.deps.db.read.select().from(bulkIssuances).where(eq(bulkIssuances.tenantId, tenant.id))
    await eventually(async () => ((await rows())[0]?.expiresAt?.getTime() ?? 0) > until)
    expect(await uploads()).toHaveLength(1)
  }
  expect(await upload()).toMatchObject({ status: 409 })
  stalled.resolve()
  await alive
  await eventually(async () => (await uploads()).length === 0)

  const expiresAt = new Date(service.clock.now().getTime() + 30_000)
  await service.deps.db.tx((tx) =>
    insertBulkIssuance(tx, { id, tenantId: tenant.id, fileName: 'a.csv', ...by, createdAt: at, expiresAt }),
  )
  expect(await uploads()).toHaveLength(1)
  expect(await upload()).toMatchObject({ status: 409 })
  service.clock.advance(30_000)
  expect(await uploads()).toEqual([])
  expect(await operator.get(`${path}/${id}`)).toMatchObject({ status: 404 })
  expect(await upload()).toMatchObject({ status: 202 })
})

describe('refused', () => {
  const refusals: [name: string, extra: Record<string, string>, param: string, msg: RegExp][] = [
    ['another mode', { mode: 'print' }, 'mode', /sign|links/],
    ['an unknown configuration', { configurationIds: randomUUID() }, 'configurationIds', /Not Found/],
    ['a configuration that is no id', { configurationIds: 'compact' }, 'configurationIds', /Must be the id/],
    ['columns that are no JSON', { columns: 'name' }, 'columns', /JSON/],
    ['columns with a wrong path', { columns: '{"name":"name"}' }, 'columns.name', /path of a claim/],
    [
      'columns with a name twice',
      { columns: '{"name":"claims.a","name":"claims.b"}' },
      'columns.name',
      /more than once/,
    ],
    ['a column that PostgreSQL cannot store', { columns: '{"a":"claims.a\\u0000"}' }, 'columns.a', /U\+0000/],
    ['an unknown policy for duplicates', { onDuplicate: 'keep' }, 'onDuplicate', /fail|skip/],
    ['an unknown field', { colour: 'red' }, 'colour', /Unknown/],
  ]
  test.each(refusals)('%s', async (_name, extra, param, msg) => {
    const { tenant, operator, upload } = await newTenant()
    const { status, body } = await upload(csvFile(), extra)
    expect([status, body.details]).toMatchObject([400, [{ param, msg: expect.stringMatching(msg) }]])
    expect((await operator.get(path)).body.data).toEqual([])
    service.clock.advance(1)
    await purge()
    expect(await stored(bulkFileChunks, tenant)).toBe(0)
  })

  test('an empty file', async () => {
    const { upload } = await newTenant()
    expect(await upload(csvFile(''))).toMatchObject({ status: 400, body: { details: [{ param: 'file' }] } })
  })

  test('a configuration whose credentials need a key of the holder, and of another tenant', async () => {
    const { tenant, upload } = await newTenant()
    const other = await service.addTenant()
    const refused = [
      await mdlConfiguration(tenant),
      await sdJwtConfiguration(tenant),
      await compactConfiguration(other),
    ]
    for (const id of refused) {
      const { status, body } = await upload(csvFile(), {}, id)
      expect([status, body.details]).toMatchObject([400, [{ param: 'configurationIds', value: id }]])
    }
    const accepted = [
      await semanticConfiguration(tenant),
      await webConfiguration(tenant),
      await sdJwtConfiguration(tenant, { keyBinding: false }),
    ]
    for (const id of accepted) expect(await upload(csvFile(), {}, id)).toMatchObject({ status: 202 })
  })

  test('more bulk issuances, and more bytes, than the tenant may have', async () => {
    const few = await newTenant({ limits: { bulkIssuances: 1 } })
    expect(await few.upload()).toMatchObject({ status: 202 })
    expect(await few.upload()).toMatchObject({ status: 409, body: { message: expect.stringContaining('at most 1') } })
    const small = await newTenant({ limits: { bulkFileBytes: 10 } })
    expect(await small.upload()).toMatchObject({ status: 409, body: { message: expect.stringContaining('10 bytes') } })
    expect((await small.operator.get(path)).body.data).toEqual([])
  })
})

test('only roles that may make offers can use it, and only for their own tenant', async () => {
  const { tenant, configurationId, upload } = await newTenant()
  const { id } = (await upload()).body
  for (const role of ['verifier', 'dts-provider', 'auditor', 'holder'] as const) {
    const api = await tenant.as(role)
    expect(await uploadTo(api, path, ['file', csvFile()], ...bulkFields(configurationId))).toMatchObject({
      status: 403,
    })
    expect(await api.get(path)).toMatchObject({ status: 403 })
    expect(await api.delete(`${path}/${id}`)).toMatchObject({ status: 403 })
  }
  const other = await service.addTenant()
  expect(await other.operator.get(`${path}/${id}`)).toMatchObject({ status: 404 })
  expect(await other.operator.delete(`${path}/${id}`)).toMatchObject({ status: 404 })
  expect((await other.operator.get(path)).body.data).toEqual([])
  for (const role of ['issuer', 'managed-issuer'] as const)
    expect(await (await tenant.as(role)).get(`${path}/${id}`)).toMatchObject({ status: 200 })
})
