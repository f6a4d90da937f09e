import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { certificates } from '../../../db/tables/certificates/certificates.ts'
import { publishedLists } from '../../../db/tables/status/published-lists.ts'
import { plusMs } from '../../../shared/clock.ts'
import { newId } from '../../../shared/ids.ts'
import { serviceMetricsRegistry } from '../../../workers/service-metrics/registry.ts'
import { createServiceMetrics } from '../../../workers/service-metrics/service-metrics.ts'
import { crlOf, ecosystemCas, newEcosystemCa, newIaca } from '../../certificates/hierarchy.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { newList } from '../../harness/revocable.ts'
import { newEcosystem, newListed, newType } from '../ecosystems/factories.ts'

const hourMs = 3_600_000

let service: Service
beforeAll(async () => {
  service = await startService({ roles: ['signing', 'analytics'] })
})
afterAll(() => service[Symbol.asyncDispose]())

interface KindView {
  kind: string
  endsAt: string
  secondsLeft: number
}

const validityOf = async (operator: TestTenant['operator']): Promise<KindView[]> => {
  const { status, body } = await operator.get('/v1/overview/validity')
  expect(status).toBe(200)
  return body.data
}

/** The end of a CRL, as openssl reads it. */
const endOfCrl = (der: Buffer) => {
  const { stdout } = spawnSync('openssl', ['crl', '-inform', 'DER', '-noout', '-nextupdate'], { input: der })
  return new Date(stdout.toString().replace('nextUpdate=', '')).toISOString()
}

test('the end of the first document of each kind is listed as verifiers read it', async () => {
  const [tenant, other] = [await service.addTenant(), await service.addTenant()]
  expect(await validityOf(tenant.operator)).toEqual([])
  const [iaca, ca] = [await newIaca(tenant), await newEcosystemCa(tenant)]
  const path = await newEcosystem(tenant)
  const credentialId = await newType(tenant, path, { profile: 'mobile', type: 'org.iso.18013.5.1.mDL' })
  await newListed(tenant, path, 'issuer', { credentialId })
  await tenant.operator.put(`${path}/vicals/configuration`, { vicalProvider: 'Agency' })
  const published = await tenant.operator.post(`${path}/vicals`)
  const [first, second] = [await newList(service, tenant.id), await newList(service, tenant.id)]
  const setEnd = (listId: string, expiresAt: Date) =>
    service.deps.db.tx(async (tx) => {
      await tx.update(publishedLists).set({ expiresAt }).where(eq(publishedLists.listId, listId))
    })
  const at = service.clock.now()
  await setEnd(first, plusMs(at, 5 * hourMs))
  await setEnd(second, plusMs(at, -hourMs))

  const ends = new Map((await validityOf(tenant.operator)).map((each) => [each.kind, each]))
  expect([...ends.keys()][0]).toBe('compact-list')
  expect(ends.get('compact-list')?.endsAt).toBe(plusMs(at, -hourMs).toISOString())
  expect(ends.get('compact-list')?.secondsLeft).toBeLessThanOrEqual(-3_600)
  const endOf = (pem: string) => new Date(new X509Certificate(pem).validTo).toISOString()
  expect(ends.get('iaca')?.endsAt).toBe(endOf(iaca.certificatePem))
  expect(ends.get('ecosystem-ca')?.endsAt).toBe(endOf(ca.certificatePem))
  expect(ends.get('iaca-crl')?.endsAt).toBe(endOfCrl(await crlOf(service, tenant, iaca.id)))
  expect(ends.get('ecosystem-ca-crl')?.endsAt).toBe(endOfCrl(await crlOf(service, tenant, ca.id, ecosystemCas)))
  const ninetyDaysMs = 90 * 24 * hourMs
  expect(ends.get('vical')?.endsAt).toBe(plusMs(new Date(published.body.date), ninetyDaysMs).toISOString())
  expect(ends.size).toBe(6)
  expect(await validityOf(other.operator)).toEqual([])

  const consumer = await tenant.as('dts-consumer')
  expect((await validityOf(consumer)).map(({ kind }) => kind)).toEqual(['ecosystem-ca-crl', 'vical', 'ecosystem-ca'])

  const metrics = createServiceMetrics(service.deps, newId())
  await metrics.read()
  const { values } = await serviceMetricsRegistry.getSingleMetric('trustwright_published_valid_seconds')!.get()
  const measured = Object.fromEntries(values.map(({ labels, value }) => [labels.kind, value]))
  expect(measured['compact-list']).toBeLessThanOrEqual(-3_600)
  expect(measured.vical).toBeGreaterThan(89 * 24 * 3_600)
  expect(Object.keys(measured).length).toBe(6)
  await metrics.close()

  // An authority that has ended is published no longer, and neither is its CRL.
  await service.deps.db.tx(async (tx) => {
    await tx.update(certificates).set({ notAfter: at }).where(eq(certificates.id, iaca.id))
  })
  expect((await validityOf(tenant.operator)).map(({ kind }) => kind)).not.toContain('iaca-crl')
})
