import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bulkRows } from '../../../db/tables/issuance/bulk-issuances.ts'
import { auditEvents } from '../../../db/tables/operations/audit-events.ts'
import { newLinksTenant } from '../../harness/bulk-links.ts'
import { joinService, type SharedService } from '../../harness/harness.ts'
import { csvFile, type FormEntry } from '../../harness/uploads.ts'

const path = '/v1/bulk-issuances'
let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

const header = 'number,given_name,Email,note'
const keep: FormEntry[] = [
  ['keepColumns', 'Email'],
  ['keepColumns', ' note '],
]
const storedCells = (tenantId: string) =>
  service.deps.db.read
    .select({ row: bulkRows.row, sealedKept: bulkRows.sealedKept })
    .from(bulkRows)
    .where(eq(bulkRows.tenantId, tenantId))
    .orderBy(bulkRows.row)

describe('kept columns', () => {
  test('come back in the results of claim links as CSV and JSON Lines, and are sealed in the database', async () => {
    const { tenant, upload, inState, links, download } = await newLinksTenant(service)
    const id = await upload(
      ['1,Ada,ada@example.org,"=1, 2"', '2,,eve@example.org,', '3,Bob,,'],
      [...keep, ['transactionCode', 'true']],
      header,
    )
    const bulk = await inState(id, 'done')
    expect(bulk).toMatchObject({ keepColumns: ['Email', 'note'], valid: 2, invalid: 1 })
    expect(bulk.columns).toMatchObject({ used: ['number', 'given_name', 'Email', 'note'], unused: [] })
    const link = expect.stringContaining('/l/')
    const transactionCode = expect.stringMatching(/^\d{6}$/)
    expect(await links(id)).toEqual([
      { row: 1, externalId: '1', link, transactionCode, Email: 'ada@example.org', note: '=1, 2' },
      { row: 3, externalId: '3', link, transactionCode, Email: '', note: '' },
    ])
    const lines = (await download(id, 'text/csv')).split('\r\n')
    expect(lines[0]).toBe('row,externalId,link,transactionCode,Email,note')
    expect(lines[1]).toMatch(/,ada@example\.org,"'=1, 2"$/)
    expect((await download(id, 'application/jsonl', '?afterRow=1')).trim().split('\n')).toHaveLength(1)
    const stored = await storedCells(tenant.id)
    expect(stored).toEqual([
      { row: 1, sealedKept: expect.any(String) },
      { row: 2, sealedKept: null },
      { row: 3, sealedKept: expect.any(String) },
    ])
    expect(JSON.stringify(stored)).not.toContain('example.org')
    const audit = await service.deps.db.read.select().from(auditEvents).where(eq(auditEvents.tenantId, tenant.id))
    expect(audit.length).toBeGreaterThan(0)
    expect(JSON.stringify(audit)).not.toContain('example.org')
  })

  test('come back in the results of signed credentials, with any value of JSON Lines', async () => {
    const { send, inState, links } = await newLinksTenant(service)
    const rows = [
      { number: '1', given_name: 'Ada', Email: 'ada@example.org', note: { language: 'de' } },
      { number: '2', given_name: 'Bob', note: null },
    ]
    const content = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
    const { body } = await send(csvFile(content, 'people.jsonl'), keep, { mode: 'sign' })
    await inState(body.id, 'done')
    const credential = expect.any(String)
    expect(await links(body.id)).toMatchObject([
      { row: 1, credential, Email: 'ada@example.org', note: { language: 'de' } },
      { row: 2, credential, note: null },
    ])
  })

  test('are removed with the user, and by a cancellation', async () => {
    const { tenant, operator, upload, inState, post, links } = await newLinksTenant(service)
    const { id: userId } = (await operator.post('/v1/users', { claims: {} })).body
    const more: FormEntry[] = [...keep, ['userIdColumn', 'user']]
    const lines = [`1,Ada,ada@example.org,,${userId}`]
    const done = await upload(lines, more, `${header},user`)
    await inState(done, 'done')
    expect(await links(done)).toMatchObject([{ Email: 'ada@example.org' }])
    const ready = await upload(lines, [...more, ['validateOnly', 'true']], `${header},user`)
    await inState(ready, 'ready')
    expect(await post(ready, 'cancel')).toMatchObject({ status: 200 })
    await expect
      .poll(() => storedCells(tenant.id))
      .toEqual([
        { row: 1, sealedKept: expect.any(String) },
        { row: 1, sealedKept: null },
      ])
    expect(await operator.delete(`/v1/users/${userId}`)).toMatchObject({ status: 204 })
    expect(await storedCells(tenant.id)).toEqual([])
  })

  test('that the file does not have refuse the file, and name its columns', async () => {
    const { upload, inState } = await newLinksTenant(service)
    const id = await upload(['1,Ada'], [['keepColumns', 'E-mail']])
    expect(await inState(id, 'failed')).toMatchObject({
      failure: {
        code: 'missing_column',
        message: 'The file has no column E-mail. Its columns are number, given_name.',
      },
    })
  })

  test('with more than 4,000 bytes in a row are an error of the row', async () => {
    const { operator, upload, inState } = await newLinksTenant(service)
    const id = await upload([`1,Ada,${'a'.repeat(4_000)},`, `2,Bob,${'b'.repeat(3_900)},`], keep, header)
    expect(await inState(id, 'done')).toMatchObject({ valid: 1, invalid: 1 })
    const { data } = (await operator.get(`${path}/${id}/rows?state=invalid`)).body
    const message = 'The kept cells of the row have 4022 bytes in JSON. At most 4000 are possible.'
    expect(data).toEqual([{ row: 1, state: 'invalid', externalId: '1', code: 'kept_cells_too_large', message }])
  })

  const refusals: [name: string, columns: string[], msg: RegExp][] = [
    ['a column of the results', ['link'], /`link` is a column of the results\. Use another name/],
    ['a repeated name', ['note', ' note'], /The column `note` is repeated/],
    ['21 columns', Array.from({ length: 21 }, (_, at) => `c${at}`), /at most 20 columns/],
    ['an empty name', [' '], /Must be the name of a column/],
  ]
  test.each(refusals)('are refused: %s', async (_name, columns, msg) => {
    const { send } = await newLinksTenant(service)
    const { status, body } = await send(
      csvFile(),
      columns.map((column): FormEntry => ['keepColumns', column]),
    )
    const detail = { param: expect.stringContaining('keepColumns'), msg: expect.stringMatching(msg) }
    expect([status, body.details]).toEqual([400, [expect.objectContaining(detail)]])
  })
})
