import { eq, sql } from 'drizzle-orm'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collectClaimLink, findClaimLinkOfRow } from '../../../db/repos/issuance/claim-links/claim-links.ts'
import { bulkIssuances, bulkRows } from '../../../db/tables/issuance/bulk-issuances.ts'
import { claimLinks } from '../../../db/tables/issuance/claim-links.ts'
import { offers } from '../../../db/tables/issuance/offers.ts'
import { dayMs, hourMs } from '../../../shared/clock.ts'
import { type LinkResult, newLinksTenant } from '../../harness/bulk-links.ts'
import { eventually, type Service, startService, tokenOf } from '../../harness/harness.ts'
import { runNow } from '../../harness/run-now.ts'
import { bulkFields, csvFile, uploadTo } from '../../harness/uploads.ts'
import { newWallet } from '../../wallets/wallet.ts'

const path = '/v1/bulk-issuances'
let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

/** A tenant with a bulk issuance of two people, whose links have transaction codes. */
async function newBulk(extra: [string, string][] = [['transactionCode', 'true']]) {
  const tenant = await newLinksTenant(service)
  const id = await tenant.upload(['1,Ada', '2,', '3,Bob'], extra)
  await tenant.inState(id, 'done')
  const linkPath = (row: number, bulk = id) => `${path}/${bulk}/rows/${row}/link`
  const pageOf = async (link: string) => (await tenant.tenant.anonymous.get(new URL(link).pathname)).status
  const collect = async (link: string, code?: string) => {
    const wallet = await newWallet(tenant.tenant, service.origin, await tenant.press(link))
    const redeemed = await wallet.redeem(code === undefined ? {} : { tx_code: code })
    return redeemed.status === 200 ? wallet.requestCredential() : redeemed
  }
  return { ...tenant, id, linkPath, pageOf, collect }
}

const stored = (table: typeof bulkIssuances | typeof bulkRows | typeof claimLinks | typeof offers, tenantId: string) =>
  service.deps.db.read.$count(table, eq(table.tenantId, tenantId))

const daysUntil = (time: string) => Math.round((Date.parse(time) - service.clock.now().getTime()) / dayMs)

/** Runs `work` after a time. The clock is set back afterwards, because all tests share it. */
async function later<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
  service.clock.advance(ms)
  try {
    return await work()
  } finally {
    service.clock.advance(-ms)
  }
}

describe('a renewed link', () => {
  test('has another address, another code and another end, and the old address is not found', async () => {
    const { operator, id, links, linkPath, rows, pageOf, press, collect } = await newBulk()
    const [first, third] = (await links(id)) as [LinkResult, LinkResult]
    await press(first.link)
    const renewed = await operator.post(linkPath(1), { expiresIn: { days: 2 } })
    expect([renewed.status, renewed.body]).toEqual([
      200,
      {
        row: 1,
        link: expect.stringMatching(/\/l\//),
        transactionCode: expect.stringMatching(/^\d{6}$/),
        expiresAt: expect.stringMatching(/Z$/),
      },
    ])
    expect(daysUntil(renewed.body.expiresAt)).toBe(2)
    expect(renewed.body.link).not.toBe(first.link)
    expect([await pageOf(first.link), await pageOf(renewed.body.link)]).toEqual([404, 200])
    expect(await rows(id, '?state=open')).toMatchObject([{ row: 1, expiresAt: renewed.body.expiresAt }, { row: 3 }])
    expect((await rows(id))[0]).not.toHaveProperty('openedAt')
    expect(await links(id)).toMatchObject([{ link: renewed.body.link }, third])
    expect(await collect(renewed.body.link, renewed.body.transactionCode)).toMatchObject({ status: 200 })
    const refused = await operator.post(linkPath(1), {})
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining('collected') } })
  })

  test('is valid as long as the others by default, and keeps its bulk issuance', async () => {
    const { tenant, operator, id, linkPath } = await newBulk([['expiresIn', '{"days":3}']])
    const kept = async () => {
      const rows = service.deps.db.read.select().from(bulkIssuances).where(eq(bulkIssuances.tenantId, tenant.id))
      return (await rows)[0]?.expiresAt?.getTime() ?? 0
    }
    const before = await kept()
    const { body } = await operator.post(linkPath(1), {})
    expect(daysUntil(body.expiresAt)).toBe(3)
    expect(body).not.toHaveProperty('transactionCode')
    expect(await kept()).toBeLessThan(before + dayMs)
    await operator.post(linkPath(1), { expiresIn: { days: 100 } })
    expect(await kept()).toBeGreaterThanOrEqual(before + 97 * dayMs)
    expect(await operator.post(`${path}/${id}/retry`)).toMatchObject({ status: 200 })
  })

  test('is refused without a link, with the reason, and at another tenant', async () => {
    const { operator, configurationId, id, linkPath, inState } = await newBulk()
    const invalid = { status: 409, body: { message: 'The row has no link. The state of the row is invalid.' } }
    for (const send of [operator.post, operator.delete]) {
      expect(await send(linkPath(2))).toMatchObject(invalid)
      expect(await send(linkPath(4))).toMatchObject({ status: 404, body: { details: [{ param: 'row' }] } })
      expect(await send(linkPath(1, crypto.randomUUID()))).toMatchObject({ status: 404 })
      expect(await send(`${path}/${id}/rows/x/link`)).toMatchObject({ status: 400 })
    }
    expect(await operator.post(linkPath(1), { expiresIn: { days: 400 } })).toMatchObject({ status: 400 })
    const signed = await uploadTo(
      operator,
      path,
      ['file', csvFile('number,given_name\n1,Ada\n')],
      ...bulkFields(configurationId),
    )
    await inState(signed.body.id, 'done')
    const refused = await operator.post(linkPath(1, signed.body.id), {})
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining('sign') } })
    const other = await service.addTenant()
    expect(await other.operator.post(linkPath(1), {})).toMatchObject({ status: 404 })
    expect(await other.operator.delete(linkPath(1))).toMatchObject({ status: 404 })
  })
})

test('a revoked link ends with its offer, and can be sent again', async () => {
  const { tenant, operator, id, links, linkPath, rows, press, inState, collect } = await newBulk([])
  const [first] = (await links(id)) as [LinkResult, LinkResult]
  const wallet = await newWallet(tenant, service.origin, await press(first.link))
  expect(await wallet.redeem()).toMatchObject({ status: 200 })
  expect(await operator.delete(linkPath(1))).toMatchObject({ status: 204 })
  expect(await operator.delete(linkPath(1))).toMatchObject({ status: 204 })
  expect((await wallet.requestCredential()).status).toBe(401)
  expect((await tenant.anonymous.get(new URL(first.link).pathname)).body).toContain('no longer valid')
  expect(await rows(id, '?state=revoked')).toMatchObject([{ row: 1, endedAt: expect.stringMatching(/Z$/) }])
  expect((await inState(id, 'done')).links).toMatchObject({ open: 1, revoked: 1 })
  const { body } = await operator.post(linkPath(1), {})
  expect(await collect(body.link)).toMatchObject({ status: 200 })
  expect(await operator.delete(linkPath(1))).toMatchObject({ status: 409 })
})

test('an expired link is listed and counted, and can be renewed', async () => {
  const { operator, id, linkPath, rows, inState } = await newBulk([['expiresIn', '{"hours":1}']])
  expect(await rows(id, '?state=expired')).toEqual([])
  await later(hourMs, async () => {
    expect(await rows(id, '?state=expired')).toMatchObject([{ row: 1, state: 'expired' }, { row: 3 }])
    expect((await inState(id, 'done')).links).toMatchObject({ open: 0, expired: 2 })
    expect(await operator.post(linkPath(3), {})).toMatchObject({ status: 200 })
    expect((await inState(id, 'done')).links).toMatchObject({ open: 1, expired: 1 })
  })
})

describe('the results', () => {
  test('have the transaction codes until an hour after the first download', async () => {
    const { operator, id, download, links, linkPath } = await newBulk()
    const csv = (await download(id, 'text/csv')).split('\r\n')
    expect(csv[0]).toBe('row,externalId,link,transactionCode')
    expect(csv[1]).toMatch(/^1,1,https?:\/\/\S+\/l\/\S+,\d{6}$/)
    const codes = (await links(id)).map(({ transactionCode }) => transactionCode)
    await later(hourMs, async () => {
      const allLinks = await links(id)
      expect(allLinks.every((each) => !('transactionCode' in each))).toBe(true)
      expect((await download(id, 'text/csv')).split('\r\n')[0]).toBe('row,externalId,link')
      const { body } = await operator.post(linkPath(1), {})
      expect(body.transactionCode).toMatch(/^\d{6}$/)
      expect(codes).not.toContain(undefined)
    })
  })

  test('have them until a client confirms that it has stored them', async () => {
    const { operator, id, links } = await newBulk()
    expect((await links(id))[0]).toHaveProperty('transactionCode')
    expect(await operator.post(`${path}/${id}/results/received`)).toMatchObject({ status: 204 })
    expect((await links(id))[0]).not.toHaveProperty('transactionCode')
    expect(await operator.post(`${path}/${id}/results/received`)).toMatchObject({ status: 204 })
  })

  test('have them for an hour after the first download, although it was cut off', async () => {
    const { tenant, id, links } = await newBulk()
    const cutOff = async () => {
      const authorization = `Bearer ${await tokenOf(service.origin, tenant.host, tenant.clientId, tenant.clientSecret)}`
      const headers = { host: tenant.host, authorization, accept: 'text/csv' }
      const { body } = await request(`${service.origin}${path}/${id}/results`, { headers })
      body.on('error', () => {})
      body.destroy()
    }
    await cutOff()
    await later(hourMs - 60_000, async () => {
      await cutOff()
      expect((await links(id))[0]).toHaveProperty('transactionCode')
    })
    await later(hourMs, async () => expect((await links(id))[0]).not.toHaveProperty('transactionCode'))
  })

  test('cannot be confirmed while rows are issued, or if they never have codes', async () => {
    const { operator, id, upload, inState } = await newBulk()
    const waiting = await upload(['1,Ada'], [['validateOnly', 'true']])
    await inState(waiting, 'ready')
    const answer = await operator.post(`${path}/${waiting}/results/received`)
    expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining('It is ready')])
    const other = await newLinksTenant(service)
    expect(await other.operator.post(`${path}/${id}/results/received`)).toMatchObject({ status: 404 })
  })

  test('have them for an hour after a download of a part too, and keep them after one without codes', async () => {
    const { id, download, links } = await newBulk()
    expect(await download(id, 'text/csv', '?afterRow=3')).toBe('')
    await later(2 * hourMs, async () => {
      expect(await download(id, 'text/csv', '?afterRow=1')).toMatch(/,\d{6}\r\n$/)
      await later(hourMs, async () => expect((await links(id))[0]).not.toHaveProperty('transactionCode'))
    })
  })
})

test('the version of results without codes changes when a link is renewed', async () => {
  const { tenant, operator, id, linkPath } = await newBulk([])
  const { host, clientId, clientSecret } = tenant
  const authorization = `Bearer ${await tokenOf(service.origin, host, clientId, clientSecret)}`
  const versionOfResults = async () => {
    const headers = { host, authorization, accept: 'text/csv' }
    const response = await request(`${service.origin}${path}/${id}/results`, { headers })
    await response.body.dump()
    return response.headers.etag
  }
  const version = await versionOfResults()
  expect(version).toMatch(/^"/)
  expect(await versionOfResults()).toBe(version)
  expect(await operator.post(linkPath(1), {})).toMatchObject({ status: 200 })
  expect(await versionOfResults()).not.toBe(version)
})

test('the deletion of a bulk issuance ends its links and offers at once, and removes them soon', async () => {
  const { tenant, operator, id, links, press, pageOf } = await newBulk([])
  const [first, third] = (await links(id)) as [LinkResult, LinkResult]
  await press(first.link)
  expect(await operator.delete(`${path}/${id}`)).toMatchObject({ status: 204 })
  expect([await pageOf(first.link), await pageOf(third.link)]).toEqual([404, 404])
  await later(1, () => runNow(service.deps.bus, 'purgeExpired', 'upkeep'))
  const tables = [bulkIssuances, bulkRows, claimLinks, offers]
  expect(await Promise.all(tables.map((table) => stored(table, tenant.id)))).toEqual([0, 0, 0, 0])
})

test('the deletion of a bulk issuance ends the codes and tokens that its links have made', async () => {
  const { tenant, operator, id, links, press } = await newBulk([])
  const [first, third] = (await links(id)) as [LinkResult, LinkResult]
  const newWalletOf = async ({ link }: LinkResult) => newWallet(tenant, service.origin, await press(link))
  const [withToken, withCode] = [await newWalletOf(first), await newWalletOf(third)]
  expect(await withToken.redeem()).toMatchObject({ status: 200 })
  expect(await operator.delete(`${path}/${id}`)).toMatchObject({ status: 204 })
  expect(await withCode.redeem()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  expect(await withToken.requestCredential()).toMatchObject({ status: 400 })
  expect((await withCode.requestCredential()).status).toBe(401)
  expect(await tenant.anonymous.post(new URL(third.link).pathname)).toMatchObject({ status: 404 })
  const userId = claimLinks.userId
  const rows = service.deps.db.read.select({ userId }).from(claimLinks).where(eq(claimLinks.tenantId, tenant.id))
  for (const { userId } of await rows)
    expect((await operator.get(`/v1/users/${userId}/credentials`)).body.data).toEqual([])
})

test('the erasure of a person who has opened a link removes the link and its row', async () => {
  const { operator, id, links, press, rows } = await newBulk([])
  expect((await rows(id))[0]).not.toHaveProperty('userId')
  await press((await links(id))[0]?.link ?? '')
  const [{ userId }] = await rows(id, '?state=opened')
  expect((await rows(id))[0]).toMatchObject({ externalId: '1', userId })
  expect((await operator.get(`/v1/users/${userId}`)).body.id).toBe(userId)
  expect(await operator.delete(`/v1/users/${userId}`)).toMatchObject({ status: 204 })
  expect((await rows(id)).map(({ row }) => row)).toEqual([2, 3])
  expect((await links(id)).map(({ row }) => row)).toEqual([3])
  const counts = { total: 3, valid: 1, invalid: 1, erased: 1, done: 1 }
  expect((await operator.get(`${path}/${id}`)).body).toMatchObject(counts)
})

test('links stay valid after a cancellation, and the rows without a link get none', async () => {
  const { tenant, upload, post, inState, links, pageOf, rows } = await newBulk([])
  const id = await upload(['1,Ada'], [['validateOnly', 'true']])
  await inState(id, 'ready')
  await service.workers.stop()
  await post(id, 'start')
  await post(id, 'cancel')
  await service.workers.start()
  expect(await rows(id)).toMatchObject([{ state: 'valid' }])
  expect(await links(id)).toEqual([])
  const linkRows = service.deps.db.read.select().from(claimLinks).where(eq(claimLinks.tenantId, tenant.id))
  const madeBy = (await linkRows)[0]?.bulkId ?? ''
  expect(await post(madeBy, 'cancel')).toMatchObject({ status: 409 })
  expect(await pageOf((await links(madeBy))[0]?.link ?? '')).toBe(200)
})

test('a configuration with usable links cannot be deleted', async () => {
  const { operator, configurationId, id, linkPath } = await newBulk([])
  const url = `/v2/credentials/compact/configurations/${configurationId}`
  const named = { status: 409, body: { message: expect.stringContaining(id) } }
  expect(await operator.delete(url)).toMatchObject(named)
  for (const row of [1, 3]) expect(await operator.delete(linkPath(row))).toMatchObject({ status: 204 })
  expect(await operator.delete(url)).toMatchObject({ status: 204 })
})

/** Returns how many sessions wait for a lock of this session. */
async function countBlockedBy(pid: number): Promise<number> {
  const [row] = await service.deps.db.read
    .select({ count: sql<number>`count(*)::int` })
    .from(sql`pg_stat_activity`)
    .where(sql`${pid}::int = ANY (pg_blocking_pids(pid))`)
  return row!.count
}

test('a link is renewed while a wallet collects with another one', { tags: 'postgres' }, async () => {
  const { tenant, operator, id, links, linkPath, press } = await newBulk([])
  await press((await links(id))[0]?.link ?? '')
  const { db, clock } = service.deps
  const opened = await findClaimLinkOfRow(db.read, tenant.id, id, 1)
  const undo = new Error('undo')
  const collecting = db.tx(async (tx) => {
    const link = { id: opened?.id ?? '', offerId: opened?.offerId ?? '' }
    expect(await collectClaimLink(tx, tenant.id, link, clock.now())).toBe(true)
    // A collection has locked its offer before. If the renewal waited, both could wait for each other.
    const [session] = await tx.select({ pid: sql<number>`pg_backend_pid()` }).from(sql`(SELECT 1) AS one`)
    let isAnswered = false
    const renewed = operator.post(linkPath(3), {}).finally(() => {
      isAnswered = true
    })
    await eventually(async () => isAnswered || (await countBlockedBy(session!.pid)) > 0)
    expect(isAnswered).toBe(true)
    expect(await renewed).toMatchObject({ status: 200 })
    throw undo
  })
  await expect(collecting).rejects.toBe(undo)
})

test('a link without its configuration cannot be renewed, and the answer names the configuration', async () => {
  const { operator, configurationId, linkPath, rows, id } = await newBulk([])
  for (const row of [1, 3]) await operator.delete(linkPath(row))
  await operator.delete(`/v2/credentials/compact/configurations/${configurationId}`)
  const named = { status: 409, body: { message: expect.stringContaining(configurationId) } }
  expect(await operator.post(linkPath(1), {})).toMatchObject(named)
  expect(await rows(id, '?state=revoked')).toHaveLength(2)
  expect(await operator.post(linkPath(4), {})).toMatchObject({ status: 404 })
})

test('without its configuration it is paused with the reason', async () => {
  const { operator, configurationId, upload, inState, post } = await newLinksTenant(service)
  const id = await upload(['1,Ada'], [['validateOnly', 'true']])
  await inState(id, 'ready')
  expect(await operator.delete(`/v2/credentials/compact/configurations/${configurationId}`)).toMatchObject({
    status: 204,
  })
  await post(id, 'start')
  expect((await inState(id, 'paused')).failure).toMatchObject({ code: 'unknown_configuration' })
})

test('only roles that may make offers can change links', async () => {
  const { tenant, linkPath } = await newBulk()
  for (const role of ['verifier', 'dts-provider', 'auditor', 'holder'] as const) {
    const api = await tenant.as(role)
    expect(await api.post(linkPath(1), {})).toMatchObject({ status: 403 })
    expect(await api.delete(linkPath(1))).toMatchObject({ status: 403 })
  }
  for (const role of ['issuer', 'managed-issuer'] as const)
    expect(await (await tenant.as(role)).post(linkPath(1), {})).toMatchObject({ status: 200 })
})
