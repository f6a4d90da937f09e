// @module-tag redis

import { eq } from 'drizzle-orm'
import { expect, onTestFailed, test } from 'vitest'
import { issuances } from '../../db/tables/issuance/issuances.ts'
import { newOffer, webConfiguration } from '../harness/factories.ts'
import { eventually } from '../harness/harness.ts'
import { type ProcessName, startProcesses } from '../harness/processes.ts'
import { startReceiver } from '../servers/receiver.ts'
import { newWallet } from '../wallets/wallet.ts'

/** A delivery whose job was lost with Redis is queued again after 75 seconds, by a job that runs every five seconds. */
const maxRecoveryMs = 240_000

const arrangements: { names: ProcessName[] }[] = [{ names: ['all'] }, { names: ['web', 'signing', 'worker'] }]

test.for(arrangements)(
  '$names on one machine issue credentials while Redis is away, and deliver their events afterwards',
  {
    timeout: 600_000,
  },
  async ({ names }) => {
    await using receiver = await startReceiver()
    await using service = await startProcesses({}, { names, queueIn: 'redis' })
    onTestFailed(() => console.error(service.errorOutput().slice(-20_000)))
    const { tenant, origin, db } = service
    const configurationId = await webConfiguration(tenant)
    const webhook = { events: ['OpenIdCredentialIssued'], url: receiver.url }
    expect(await tenant.operator.post('/v1/webhooks', webhook)).toMatchObject({ status: 201 })
    // The web process connects to the signing process at its first request.
    const before = await newOffer(tenant, [configurationId])
    expect(await (await newWallet(tenant, origin, before.uri)).collect()).toMatchObject({ status: 200 })
    await eventually(async () => receiver.deliveries.length === 1)
    await service.kill('redis')

    const offerIds: string[] = []
    for (let run = 0; run < 3; run++) {
      const offer = await newOffer(tenant, [configurationId])
      expect(await (await newWallet(tenant, origin, offer.uri)).collect()).toMatchObject({ status: 200 })
      offerIds.push(offer.id)
    }
    for (const id of offerIds) expect(await db.read.$count(issuances, eq(issuances.offerId, id))).toBe(1)
    expect(receiver.deliveries).toHaveLength(1)
    await service.start('redis')
    await eventually(async () => receiver.deliveries.length > offerIds.length, maxRecoveryMs)
    const delivered = receiver.deliveries.map(({ body }) => body.event.payload.credentialOfferId)
    expect(new Set(delivered)).toEqual(new Set([before.id, ...offerIds]))
  },
)
