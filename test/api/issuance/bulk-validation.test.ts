import { gzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bulkRows } from '../../../db/tables/issuance/bulk-issuances.ts'
import { outbox } from '../../../db/tables/outbox.ts'
import { Postpone } from '../../../workers/serve.ts'
import { createValidateBulk } from '../../../workers/upkeep/bulk/validate-bulk.ts'
import { compactConfiguration, sdJwtConfiguration } from '../../harness/factories.ts'
import { eventually, type Service, startService } from '../../harness/harness.ts'
import { pagesOf } from '../../harness/pages.ts'
import { bulkFields, csvFile, uploadTo } from '../../harness/uploads.ts'
import { newBulkTenant } from '../../harness/validated-bulks.ts'

const path = '/v1/bulk-issuances'
let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

type Fields = Record<string, string>

const newTenant = (configure = compactConfiguration) => newBulkTenant(service, configure)
const storedRows = (tenantId: string) =>
  service.deps.db.read.select().from(bulkRows).where(eq(bulkRows.tenantId, tenantId))

describe('a row that is wrong is one error and stops nothing else', () => {
  test('in a CSV file', async () => {
    const { tenant, operator, validated, rowsOf } = await newTenant()
    const lines = [
      'number;given_name',
      '1;Ada Lovelace',
      '2;',
      '3;Bob;x',
      ';Eve',
      '5;"Z',
      'o\u00eb"',
      `${'6'.repeat(201)};Max`,
    ]
    const bulk = await validated(`${lines.join('\r\n')}\r\n`)
    expect(bulk).toMatchObject({ state: 'ready', total: 6, valid: 2, invalid: 4, done: 0, failed: 0 })
    const rows = await rowsOf(bulk)
    const [missing, cells, noId, longId] = [2, 3, 4, 6].map((row) => rows[row - 1])
    expect(missing).toEqual({
      ...{ row: 2, state: 'invalid', externalId: '2', column: 'given_name', code: 'missing_claim' },
      message: 'There is no value for the claim given_name.',
    })
    expect(cells).toMatchObject({ row: 3, state: 'invalid', code: 'too_many_cells' })
    expect(noId).toMatchObject({ row: 4, column: 'number', code: 'invalid_external_id' })
    expect(longId).toMatchObject({ row: 6, column: 'number', code: 'invalid_external_id' })
    expect(rows.filter(({ state }: { state: string }) => state === 'valid')).toEqual([
      { row: 1, state: 'valid', externalId: '1' },
      { row: 5, state: 'valid', externalId: '5' },
    ])
    expect(await rowsOf(bulk, '?state=invalid')).toHaveLength(4)
    const pages = await pagesOf(operator, `${path}/${bulk.id}/rows?state=invalid&limit=3`)
    expect(pages.map((page) => page.length)).toEqual([3, 1])
    const stored = await storedRows(tenant.id)
    expect(JSON.stringify(stored)).not.toMatch(/Ada Lovelace/)
    expect(stored.map(({ sealedClaims }) => sealedClaims !== null)).toEqual([true, false, false, false, true, false])
  })

  test.each(['boolean', 'TRUE', 'False'])('unless it has a boolean as spreadsheets write it: %s', async (text) => {
    const claimMappings = {
      given_name: { mapFrom: 'claims.given_name', required: true },
      adult: { mapFrom: 'claims.adult', type: 'boolean' },
    }
    const settings = { keyBinding: false, claimMappings, disclose: 'always' }
    const { validated, rowsOf } = await newTenant((tenant) => sdJwtConfiguration(tenant, settings))
    const bulk = await validated(`number,given_name,adult,,\n1, Ada ,${text},,\n2,,TRUE,,\n`)
    const isBoolean = text !== 'boolean'
    const missing = { row: 2, column: 'given_name', code: 'missing_claim' }
    expect(await rowsOf(bulk)).toMatchObject([{ row: 1, state: isBoolean ? 'valid' : 'invalid' }, missing])
  })

  test('in JSON Lines with gzip', async () => {
    const { validated, rowsOf } = await newTenant()
    const lines = ['{"number":1,"given_name":"Ada"}', '{"number":"2"', '[]', '{"number":"4","given_name":null}']
    const bulk = await validated(gzipSync(lines.join('\n')), {}, 'people.jsonl.gz')
    expect(bulk).toMatchObject({ state: 'ready', total: 4, valid: 1, invalid: 3 })
    const codes = (await rowsOf(bulk)).map(({ code }: { code?: string }) => code)
    expect(codes).toEqual([undefined, 'invalid_json', 'not_an_object', 'missing_claim'])
  })

  test('in JSON Lines with a name that PostgreSQL cannot store', async () => {
    const { validated, rowsOf } = await newTenant()
    const lines = ['{"number":"1","a\\u0000b":1}', '{"number":"2","given_name":"Ada"}']
    const bulk = await validated(lines.join('\n'), {}, 'people.jsonl')
    expect(bulk).toMatchObject({ state: 'ready', valid: 1, invalid: 1 })
    expect(await rowsOf(bulk, '?state=invalid')).toMatchObject([{ row: 1, code: 'invalid_json' }])
  })

  test('in JSON Lines without a line that can be read', async () => {
    const { validated, rowsOf } = await newTenant()
    const bulk = await validated('{"number":9007199254740993,"given_name":"Ada"}', {}, 'people.jsonl')
    expect(bulk).toMatchObject({ state: 'ready', total: 1, valid: 0, invalid: 1 })
    const message = 'number: This number cannot be stored exactly.'
    expect(await rowsOf(bulk)).toEqual([{ row: 1, state: 'invalid', code: 'invalid_json', message }])
  })

  test('in claims of an SD-JWT VC', async () => {
    const configure: typeof compactConfiguration = (tenant) => sdJwtConfiguration(tenant, { keyBinding: false })
    const { validated, rowsOf } = await newTenant(configure)
    const bulk = await validated('number,given_name,birthdate\n1,Ada,2001-02-03\n2,,2001-02-03\n')
    expect(bulk).toMatchObject({ state: 'ready', total: 2 })
    const failed = (await rowsOf(bulk, '?state=invalid')) as { message: string }[]
    for (const { message } of failed) expect(message).toMatch(/\.$/)
  })
})

test('columns are mapped to claims, and claims inside of others are found by their path', async () => {
  const nested = { claimMappings: { city: { mapFrom: 'claims.address.city', required: true } } }
  const { validated } = await newTenant((tenant) => compactConfiguration(tenant, nested))
  expect(await validated('number,address.city\n1,Oslo\n')).toMatchObject({ valid: 1 })
  expect(await validated('number,claims.address.city\n1,Oslo\n')).toMatchObject({ valid: 1 })
  const columns = JSON.stringify({ 'Wohnort ': 'claims.address.city' })
  expect(await validated('number,Wohnort\n1,Oslo\n', { columns })).toMatchObject({ valid: 1 })
  expect(await validated('number,address.city,__proto__\n1,Oslo,x\n')).toMatchObject({ valid: 1 })
  expect(await validated('number,address.city\n1,\n')).toMatchObject({ valid: 0, invalid: 1 })
})

describe('the whole file is refused', () => {
  const columns = JSON.stringify({ name: 'claims.given_name' })
  const refusals: [
    name: string,
    content: string | Buffer<ArrayBuffer>,
    extra: Fields,
    code: string,
    message: RegExp,
  ][] = [
    ['without the column of ids', 'given_name\nAda\n', {}, 'missing_column', /no column number.* are given_name\./],
    ['without a named column', 'number,given_name\n1,Ada\n', { columns }, 'missing_column', /no column name\./],
    [
      'without a required column',
      'number,givenname\n1,Ada\n',
      {},
      'missing_column',
      /claims\.given_name, .* number, givenname\./,
    ],
    ['without the column of users', 'number\n1\n', { userIdColumn: 'user' }, 'missing_column', /no column user\./],
    ['with a duplicate header', 'number,name,name\n1,a,b\n', {}, 'doubled_header', /name/],
    [
      'with a duplicate id',
      'number,given_name\n1,a\n2,b\n1,c\n',
      {},
      'duplicate_external_id',
      /Rows 1 and 3 .* number\./,
    ],
    ['with columns that conflict', 'number,a,a.b\n1,x,y\n', {}, 'conflicting_columns', /a and a\.b/],
    ['that is a workbook', Buffer.from('PK\u0003\u0004 and more'), {}, 'invalid_encoding', /ZIP/],
    ['that is no text', Buffer.from([0xc3, 0x28, 0x0a, 0xff]), {}, 'invalid_encoding', /UTF-8/],
    ['without rows', 'number,given_name\n', {}, 'no_rows', /no rows/],
  ]
  test.each(refusals)('%s', async (_name, content, extra, code, message) => {
    const { tenant, validated } = await newTenant()
    const bulk = await validated(content, extra)
    expect(bulk).toMatchObject({ state: 'failed', total: 0, valid: 0, endedAt: expect.stringMatching(/Z$/) })
    expect(bulk.failure).toEqual({ code, message: expect.stringMatching(message) })
    await eventually(async () => (await storedRows(tenant.id)).length === 0)
  })

  test('with names that would control a terminal, which the message has without their control characters', async () => {
    const { validated } = await newTenant()
    const name = 'a\u001b[2J\u202eb\u200bc'
    const bulk = await validated(JSON.stringify({ [name]: 'Ada' }), {}, 'people.jsonl')
    expect(bulk.failure).toMatchObject({ code: 'missing_column', message: expect.stringContaining('[2J') })
    expect(bulk.failure.message).toMatch(/^[^\p{Cc}\p{Cf}]+$/u)
  })

  test('with a duplicate id in another portion, and its stored rows are removed', async () => {
    const { tenant, validated } = await newTenant()
    const rows = Array.from({ length: 700 }, (_, at) => `${at === 650 ? 3 : at},Ada`)
    const bulk = await validated(`number,given_name\n${rows.join('\n')}\n`)
    expect(bulk.failure).toEqual({ code: 'duplicate_external_id', message: expect.stringContaining('Rows 4 and 651') })
    await eventually(async () => (await storedRows(tenant.id)).length === 0)
  })

  test('with a duplicate id, unless only the row is to be skipped', async () => {
    const { validated, rowsOf } = await newTenant()
    const rows = Array.from({ length: 700 }, (_, at) => `${[1, 650].includes(at) ? 0 : at},Ada`)
    const bulk = await validated(`number,given_name\n${rows.join('\n')}\n`, { onDuplicate: 'skip' })
    expect(bulk).toMatchObject({ state: 'ready', total: 700, valid: 698, invalid: 2 })
    const fault = { state: 'invalid', column: 'number', code: 'duplicate_external_id' }
    expect(await rowsOf(bulk, '?state=invalid')).toMatchObject([
      { row: 2, ...fault, message: 'The external id is the same as in row 1.' },
      { row: 651, ...fault },
    ])
  })
})

test('rows can name users of the tenant, and the erasure of a user removes the row', async () => {
  const { tenant, operator, validated, rowsOf } = await newTenant()
  const other = await service.addTenant()
  const newUser = async (api: typeof operator, name?: string) =>
    (await api.post('/v1/users', { claims: name === undefined ? {} : { given_name: name } })).body.id
  const [ada, bob, foreign] = [await newUser(operator, 'Ada'), await newUser(operator), await newUser(other.operator)]
  const file = `number,user,given_name\n1,${ada},\n2,${bob.toUpperCase()},Bob\n3,${foreign},Eve\n4,,Max\n5,${bob},\n`
  const bulk = await validated(file, { userIdColumn: 'user' })
  expect(bulk).toMatchObject({ total: 5, valid: 2, invalid: 3 })
  const codes = (await rowsOf(bulk)).map(({ code }: { code?: string }) => code)
  expect(codes).toEqual([undefined, undefined, 'unknown_user', 'unknown_user', 'missing_claim'])
  expect(await operator.delete(`/v1/users/${bob}`)).toMatchObject({ status: 204 })
  expect((await rowsOf(bulk)).map(({ row }: { row: number }) => row)).toEqual([1, 3, 4])
  const counts = { total: 5, valid: 1, invalid: 2, erased: 2 }
  expect((await operator.get(`${path}/${bulk.id}`)).body).toMatchObject(counts)
  expect((await storedRows(tenant.id)).every(({ userId }) => userId !== bob)).toBe(true)
})

test('a job that is interrupted, repeated or run twice at once stores each row once', async () => {
  const { tenant, operator, configurationId, chunkCount } = await newTenant()
  await service.workers.stop()
  const content = `number,given_name\n${Array.from({ length: 1_700 }, (_, at) => `${at},Ada`).join('\n')}\n`
  const sent = await uploadTo(operator, path, ['file', csvFile(content)], ...bulkFields(configurationId))
  const payload = { tenantId: tenant.id, bulkId: String(sent.body.id) }
  const newProcess = () => {
    const validate = createValidateBulk(service.deps, 0)
    return () => validate(payload).catch((error: unknown) => error)
  }
  const processes = [newProcess(), newProcess(), newProcess()]
  let ends: unknown[] = []
  for (let runs = 0; runs < 20 && !ends.includes(undefined); runs++) {
    ends = await Promise.all([...processes, newProcess()].map((run) => run()))
  }
  expect(ends.filter((end) => end !== undefined && !(end instanceof Postpone))).toEqual([])
  await newProcess()()
  const { body } = await operator.get(`${path}/${payload.bulkId}`)
  expect(body).toMatchObject({ total: 1_700, valid: 1_700, invalid: 0 })
  const numbers = (await storedRows(tenant.id)).map(({ row }) => row).sort((left, right) => left - right)
  expect(numbers).toEqual(Array.from({ length: 1_700 }, (_, at) => at + 1))
  expect(await chunkCount()).toBe(0)
  expect(await service.deps.db.read.$count(outbox, eq(outbox.id, payload.bulkId))).toBe(0)
  await service.workers.start()
})

test('a process reads a file once, in however many time slices', async () => {
  const { tenant, operator, configurationId, chunkCount } = await newTenant()
  await service.workers.stop()
  const lines = Array.from({ length: 6_000 }, (_, at) => `${at},${'Ada'.repeat(100)}`)
  const file = csvFile(`number,given_name\n${lines.join('\n')}\n`)
  const sent = await uploadTo(operator, path, ['file', file], ...bulkFields(configurationId))
  const payload = { tenantId: tenant.id, bulkId: String(sent.body.id) }
  const chunks = await chunkCount()
  expect(chunks).toBeGreaterThan(5)
  let read = 0
  const { secrets } = service.deps
  const openBytes: typeof secrets.openBytes = (...sealed) => {
    read++
    return secrets.openBytes(...sealed)
  }
  const deps = { ...service.deps, secrets: { ...secrets, openBytes } }
  const validate = createValidateBulk(deps, 0)
  let slices = 0
  for (let end: unknown = new Postpone(0); end instanceof Postpone && slices < 50; slices++) {
    end = await validate(payload).catch((error: unknown) => error)
  }
  expect((await operator.get(`${path}/${payload.bulkId}`)).body).toMatchObject({ total: 6_000, valid: 6_000 })
  expect(slices).toBeGreaterThan(1)
  expect(read).toBe(chunks)
  await service.workers.start()
})

test('rows of another tenant are not found', async () => {
  const { validated } = await newTenant()
  const bulk = await validated('number,given_name\n1,Ada\n')
  const other = await service.addTenant()
  expect(await other.operator.get(`${path}/${bulk.id}/rows`)).toMatchObject({ status: 404 })
})
