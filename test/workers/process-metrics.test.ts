import { eq } from 'drizzle-orm'
import { register } from 'prom-client'
import { expect, test } from 'vitest'
import { credentials } from '../../db/tables/issuance/credentials.ts'
import { newIaca } from '../certificates/hierarchy.ts'
import { compactConfiguration, newOffer, sdJwtConfiguration, semanticConfiguration } from '../harness/factories.ts'
import { eventually, startService } from '../harness/harness.ts'
import { issueSdJwt } from '../harness/issued-sd-jwt.ts'
import { startReceiver } from '../servers/receiver.ts'
import { newWallet } from '../wallets/wallet.ts'

/** What stands behind a name with these labels. The processes of a test are one, and so are its figures: what counts is what is added. */
async function figureOf(line: string): Promise<number> {
  const lines = (await register.metrics()).split('\n')
  return Number(
    lines
      .find((each) => each.startsWith(`${line} `))
      ?.split(' ')
      .at(-1) ?? 0,
  )
}

const issued = (profile: string) => `trustwright_credentials_issued_total{profile="${profile}",asked_by="wallet"}`
const ofTenant = (tenant: string, profile: string, outcome: string) =>
  `trustwright_tenant_credentials_total{tenant="${tenant}",profile="${profile}",outcome="${outcome}"}`
const relayedFanOuts = 'trustwright_outbox_relayed_total{job="fanOut"}'
const watched = [
  issued('compact'),
  issued('compact-semantic'),
  'trustwright_status_changes_total{status="invalid"}',
  'trustwright_webhook_deliveries_total{outcome="delivered"}',
  'trustwright_webhook_deliveries_total{outcome="failed"}',
  'trustwright_webhook_attempt_duration_seconds_count{outcome="delivered"}',
  'trustwright_webhook_attempt_duration_seconds_count{outcome="refused"}',
  relayedFanOuts,
]

test('issuances, revocations and deliveries are counted after their commit', async () => {
  let isAngry = false
  await using receiver = await startReceiver(() => ({ status: isAngry ? 500 : 200 }))
  await using service = await startService({ retryPausesMs: [50] })
  const before = await Promise.all(watched.map(figureOf))
  const added = async () => {
    const after = await Promise.all(watched.map(figureOf))
    return Object.fromEntries(watched.map((name, at) => [name, after[at]! - before[at]!]))
  }
  const webhook = { events: ['OpenIdCredentialIssued'], url: receiver.url }
  expect(await service.operator.post('/v1/webhooks', webhook)).toMatchObject({ status: 201 })
  const both = [await compactConfiguration(service, { revocable: true }), await semanticConfiguration(service)]
  const collect = async (configurationId: string) => {
    const { userId, uri } = await newOffer(service, [configurationId])
    expect(await (await newWallet(service, service.origin, uri)).collect()).toMatchObject({ status: 200 })
    return userId
  }
  const userId = await collect(both[0]!)
  await eventually(async () => receiver.deliveries.length === 1)
  const [credential] = await service.deps.db.read.select().from(credentials).where(eq(credentials.userId, userId))
  const status = `/v2/credentials/compact/${credential?.id}/revocation-status`
  expect(await service.operator.post(status, { isRevoked: true })).toMatchObject({ status: 200 })

  isAngry = true
  await collect(both[1]!)
  const failed = 'trustwright_webhook_deliveries_total{outcome="failed"}'
  await eventually(async () => (await added())[failed] === 1)
  const { [relayedFanOuts]: relayed, ...others } = await added()
  // A row whose job is not done in time is relayed again.
  expect(relayed).toBeGreaterThanOrEqual(2)
  expect(others).toEqual({
    [issued('compact')]: 1,
    [issued('compact-semantic')]: 1,
    'trustwright_status_changes_total{status="invalid"}': 1,
    'trustwright_webhook_deliveries_total{outcome="delivered"}': 1,
    [failed]: 1,
    'trustwright_webhook_attempt_duration_seconds_count{outcome="delivered"}': 1,
    'trustwright_webhook_attempt_duration_seconds_count{outcome="refused"}': 2,
  })
  expect(await figureOf(ofTenant(service.id, 'compact', 'issued'))).toBe(1)
  expect(await figureOf(ofTenant(service.id, 'compact-semantic', 'issued'))).toBe(1)
  // Nothing that a tenant or a wallet chose is in a label.
  const text = await register.metrics()
  for (const chosen of [new URL(service.origin).host, userId, credential?.id ?? '', new URL(receiver.url).host])
    expect(text).not.toContain(chosen)
})

test('credentials are counted by tenant, up to a number of tenants', async () => {
  await using service = await startService({ env: { METRICS_TENANTS: '1' } })
  const other = await service.addTenant()
  const authority = await newIaca(service)
  const configurationId = await sdJwtConfiguration(service)
  await issueSdJwt(service, service, configurationId)
  const counted = (tenant: string, outcome: string) => figureOf(ofTenant(tenant, 'sd-jwt', outcome))
  expect(await counted(service.id, 'issued')).toBe(1)

  await service.operator.put(`/v2/credentials/mobile/iacas/${authority.id}`, { active: false })
  // A signing process caches a signer for a second.
  await eventually(async () => {
    await issueSdJwt(service, service, configurationId).catch(() => undefined)
    return (await counted(service.id, 'refused')) === 1
  })

  const before = await counted('other', 'issued')
  await newIaca(other)
  await issueSdJwt(service, other, await sdJwtConfiguration(other))
  expect(await counted('other', 'issued')).toBe(before + 1)
  expect(await counted(other.id, 'issued')).toBe(0)
})
