import { and, eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { findBulkIssuance } from '../../../db/repos/issuance/bulk/bulk-issuances.ts'
import { auditEvents } from '../../../db/tables/operations/audit-events.ts'
import { dayMs, minuteMs } from '../../../shared/clock.ts'
import type { Payload } from '../../../shared/jobs/registry.ts'
import { createRenewLinks } from '../../../workers/upkeep/bulk/renew-links.ts'
import { type LinkResult, newLinksTenant } from '../../harness/bulk-links.ts'
import { eventually, type Service, startService } from '../../harness/harness.ts'
import { newWallet } from '../../wallets/wallet.ts'

const path = '/v1/bulk-issuances'
let service: Service
/** How far the tests have moved the clock. */
let movedMs = 0
beforeAll(async () => {
  service = await startService()
})
afterEach(() => {
  service.clock.advance(-movedMs)
  movedMs = 0
})
afterAll(() => service[Symbol.asyncDispose]())

function later(ms: number): void {
  service.clock.advance(ms)
  movedMs += ms
}

const people = (count: number) => Array.from({ length: count }, (_, at) => `${at + 1},Ada`)

/** A bulk issuance whose links expire after an hour, so that the token of the operator is valid longer. */
async function newBulk(lines: string[], extra: [string, string][] = []) {
  const tenant = await newLinksTenant(service)
  const { operator } = tenant
  const id = await tenant.upload(lines, [['expiresIn', '{"hours":1}'], ...extra])
  await tenant.inState(id, 'done')
  const renew = (body = {}, api = operator) => api.post(`${path}/${id}/renew-expired-links`, body)
  const read = async () => (await operator.get(`${path}/${id}`)).body
  const renewed = () =>
    eventually(async () => {
      const { linkRenewal } = await read()
      return linkRenewal?.state === 'done' && linkRenewal
    })
  const pageOf = async (link: string) => (await tenant.tenant.anonymous.get(new URL(link).pathname)).status
  return { ...tenant, id, renew, read, renewed, pageOf }
}

/** The audit rows of the renewals of a tenant: one for each request, and one for each portion with the numbers of its rows. */
function renewalsInAudit({ tenant }: Pick<Awaited<ReturnType<typeof newBulk>>, 'tenant'>) {
  const isOfTenant = eq(auditEvents.tenantId, tenant.id)
  const isRenewal = eq(auditEvents.type, 'BULK_ISSUANCE_EXPIRED_LINKS_RENEW_AUDIT')
  return service.deps.db.read.select().from(auditEvents).where(and(isOfTenant, isRenewal))
}

const rowsIn = (audit: { data: unknown }[]) =>
  audit.flatMap(({ data }) => (data as { rows?: number[] }).rows ?? []).sort((a, b) => a - b)

describe('all expired links of a bulk issuance', () => {
  test('are renewed, and only these', async () => {
    const bulk = await newBulk(people(4))
    const { tenant, operator, id, renew, read, renewed, links, press, rows, pageOf } = bulk
    const before = (await links(id)) as [LinkResult, LinkResult, LinkResult, LinkResult]
    const wallet = await newWallet(tenant, service.origin, await press(before[0].link))
    expect(await wallet.redeem()).toMatchObject({ status: 200 })
    expect(await wallet.requestCredential()).toMatchObject({ status: 200 })
    await operator.delete(`${path}/${id}/rows/2/link`)
    await operator.post(`${path}/${id}/rows/3/link`, { expiresIn: { days: 9 } })
    const third = (await links(id))[2]?.link
    later(61 * minuteMs)
    expect((await read()).links).toEqual({ open: 1, opened: 0, collected: 1, expired: 1, revoked: 1 })
    expect(await renew({ expiresIn: { days: 5 } })).toMatchObject({
      status: 202,
      body: { state: 'running', renewed: 0 },
    })
    expect(await renewed()).toMatchObject({ renewed: 1, checkedRows: 4, endedAt: expect.any(String) })
    expect((await read()).links).toEqual({ open: 2, opened: 0, collected: 1, expired: 0, revoked: 1 })
    const after = await links(id)
    expect(after[2]?.link).toBe(third)
    expect([await pageOf(before[3].link), await pageOf(after[3]?.link ?? '')]).toEqual([404, 200])
    const [, open] = await rows(id, '?state=open')
    expect(Date.parse(open.expiresAt) - service.clock.now().getTime()).toBeGreaterThan(4 * dayMs)
    expect(await renew()).toMatchObject({ status: 202 })
    expect(await renewed()).toMatchObject({ renewed: 0 })
    const audit = await renewalsInAudit(bulk)
    expect(rowsIn(audit)).toEqual([4])
    expect(audit).toHaveLength(3)
  })

  test('are renewed once by two workers, also if one is killed between two portions', async () => {
    const bulk = await newBulk(people(250))
    const { tenant, id, renew, renewed } = bulk
    later(61 * minuteMs)
    await service.workers.stop()
    await renew()
    const again = await renew()
    expect(again).toMatchObject({ status: 202, body: { state: 'running' } })
    expect(await renew({ expiresIn: { days: 3 } })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('expiresIn') },
    })
    const { linkRenewal } = (await findBulkIssuance(service.deps.db.read, tenant.id, id)) ?? {}
    const payload: Payload<'renewExpiredLinks'> = { tenantId: tenant.id, bulkId: id, renewalId: linkRenewal?.id ?? '' }
    // Each call renews one portion, as a worker that is killed after it.
    const workers = [createRenewLinks(service.deps, 0), createRenewLinks(service.deps, 0)]
    await Promise.allSettled(workers.map((work) => work(payload)))
    await service.workers.start()
    expect(await renewed()).toMatchObject({ renewed: 250, checkedRows: 250 })
    const audit = await renewalsInAudit(bulk)
    expect(rowsIn(audit)).toEqual(people(250).map((_, at) => at + 1))
    await workers[0]?.(payload)
    expect(await renewalsInAudit(bulk)).toHaveLength(audit.length)
  })

  test('have new codes in the results, without those that were received before', async () => {
    const { operator, id, renew, renewed, links } = await newBulk(people(2), [['transactionCode', 'true']])
    await operator.post(`${path}/${id}/rows/2/link`, { expiresIn: { days: 9 } })
    const before = await links(id)
    expect(await operator.post(`${path}/${id}/results/received`)).toMatchObject({ status: 204 })
    later(61 * minuteMs)
    await renew()
    await renewed()
    const [first, second] = await links(id)
    expect(first).toMatchObject({ transactionCode: expect.stringMatching(/^\d{6}$/) })
    expect(first?.transactionCode).not.toBe(before[0]?.transactionCode)
    expect(second).toMatchObject({ link: before[1]?.link, transactionCode: '' })
    // Nothing has expired. The codes that were not received stay.
    await renew({ expiresIn: { days: 20 } })
    expect(await renewed()).toMatchObject({ renewed: 0 })
    expect((await links(id)).map(({ transactionCode }) => transactionCode)).toEqual([first?.transactionCode, ''])
    expect(await operator.post(`${path}/${id}/results/received`)).toMatchObject({ status: 204 })
    expect((await links(id))[0]).not.toHaveProperty('transactionCode')
  })

  test('are refused without their configuration, and renewed by a helpdesk, but by no other tenant', async () => {
    const { tenant, operator, configurationId, id, renew, read, renewed } = await newBulk(people(1))
    const other = await service.addTenant()
    expect(await renew({}, other.operator)).toMatchObject({ status: 404 })
    expect(await renew({}, await tenant.as('verifier'))).toMatchObject({ status: 403 })
    expect(await renew({ expiresIn: { days: 400 } })).toMatchObject({ status: 400 })
    later(61 * minuteMs)
    expect(await renew({}, await tenant.as('helpdesk'))).toMatchObject({ status: 202 })
    expect(await renewed()).toMatchObject({ renewed: 1 })
    later(61 * minuteMs)
    await service.workers.stop()
    await renew()
    const configuration = `/v2/credentials/compact/configurations/${configurationId}`
    expect(await operator.delete(configuration)).toMatchObject({ status: 204 })
    await service.workers.start()
    await eventually(async () => (await read()).linkRenewal.state === 'failed')
    expect((await read()).links).toMatchObject({ open: 0, expired: 1 })
    const refused = { status: 409, body: { message: expect.stringContaining(configurationId) } }
    expect(await operator.post(`${path}/${id}/renew-expired-links`, {})).toMatchObject(refused)
  })
})
