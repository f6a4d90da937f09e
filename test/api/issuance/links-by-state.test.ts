import { afterAll, beforeAll, expect, test } from 'vitest'
import { newLinksTenant } from '../../harness/bulk-links.ts'
import { joinService, type SharedService } from '../../harness/harness.ts'
import type { FormEntry } from '../../harness/uploads.ts'
import { newWallet } from '../../wallets/wallet.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

test('the links in one state are a table with their times and kept cells, and without transaction codes', async () => {
  const { tenant, operator, upload, inState, links, press, download } = await newLinksTenant(service)
  const options: FormEntry[] = [
    ['keepColumns', 'email'],
    ['transactionCode', 'true'],
  ]
  const lines = ['1,Ada,ada@example.org', '2,Bob,bob@example.org', '3,Eve,eve@example.org']
  const id = await upload(lines, options, 'number,given_name,email')
  await inState(id, 'done')
  const [first, second, third] = await links(id)
  const wallet = await newWallet(tenant, service.origin, await press(first?.link ?? ''))
  await wallet.redeem({ tx_code: first?.transactionCode ?? '' })
  expect(await wallet.requestCredential()).toMatchObject({ status: 200 })
  expect(await operator.delete(`/v1/bulk-issuances/${id}/rows/2/link`)).toMatchObject({ status: 204 })

  const listIn = async (state: string) => {
    const text = await download(id, 'application/jsonl', `?state=${state}`)
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  }
  const time = expect.stringMatching(/Z$/)
  const common = { expiresAt: time }
  expect(await listIn('open')).toEqual([
    { ...common, row: 3, externalId: '3', link: third?.link, state: 'open', email: 'eve@example.org' },
  ])
  const ended = { ...common, endedAt: time }
  expect(await listIn('collected')).toEqual([
    {
      ...ended,
      row: 1,
      externalId: '1',
      link: first?.link,
      state: 'collected',
      openedAt: time,
      email: 'ada@example.org',
    },
  ])
  expect(await listIn('revoked')).toMatchObject([{ ...ended, row: 2, link: second?.link, email: 'bob@example.org' }])
  expect(await listIn('expired')).toEqual([])
  const csv = (await download(id, 'text/csv', '?state=open')).split('\r\n')
  expect(csv[0]).toBe('row,externalId,label,link,state,expiresAt,openedAt,endedAt,email')
  expect(csv).toHaveLength(3)
  expect(await download(id, 'text/csv', '?state=open&afterRow=3')).toBe('')
  // The list counts as no download of the codes.
  expect(await links(id)).toMatchObject([{ transactionCode: '' }, { transactionCode: second?.transactionCode }, {}])
})

test('a state needs links', async () => {
  const { operator, send, inState } = await newLinksTenant(service)
  const { body } = await send(new File(['number,given_name\n1,Ada\n'], 'people.csv'), [], { mode: 'sign' })
  await inState(body.id, 'done')
  for (const [state, msg] of [
    ['open', 'Needs a bulk issuance with the mode links'],
    ['failed', expect.any(String)],
  ])
    expect(await operator.get(`/v1/bulk-issuances/${body.id}/results?state=${state}`)).toMatchObject({
      status: 400,
      body: { details: [{ param: 'state', location: 'query', msg }] },
    })
})
