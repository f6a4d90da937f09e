import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { findClaimLink } from '../../db/repos/issuance/claim-links/claim-links.ts'
import { claimLinks } from '../../db/tables/issuance/claim-links.ts'
import { plusMs } from '../../shared/clock.ts'
import type { CheckName } from '../../shared/domain/issuance/checks.ts'
import { offerIn } from '../harness/bulk-links.ts'
import { newClaimLink } from '../harness/claim-links.ts'
import { activeIaca, compactConfiguration, newOffer, sdJwtConfiguration } from '../harness/factories.ts'
import type { TestTenant } from '../harness/harness.ts'
import { newWallet } from '../wallets/wallet.ts'
import type { Fault, FaultKit } from './fault-kit.ts'

const claimMappings = { given_name: { mapFrom: 'claims.given_name' } }

/** The causes for which the signing process refuses a credential. */
export function signingFaults({ service, bare }: FaultKit): Record<string, Fault> {
  function refused(
    check: CheckName,
    prepare: (tenant: TestTenant) => Promise<Prepared>,
    tenant: TestTenant = service,
  ): Fault {
    return {
      step: 'credential requested',
      check,
      tenant: () => tenant,
      async inject() {
        const { configurationId, claims = { given_name: 'Ada' }, beforeRequest } = await prepare(tenant)
        const offer = await newOffer(tenant, [configurationId], { claims })
        const wallet = await newWallet(tenant, service.origin, offer.uri)
        expect(await wallet.redeem()).toMatchObject({ status: 200 })
        beforeRequest?.()
        expect(await wallet.requestCredential()).toMatchObject({
          status: 400,
          body: { error: 'credential_request_denied' },
        })
        return offer.id
      },
    }
  }

  return {
    'no certificate can sign': refused(
      'signer',
      async (tenant) => ({ configurationId: await sdJwtConfiguration(tenant, { claimMappings }) }),
      bare,
    ),
    'the validity ended after the offer was created': refused('validity', async (tenant) => {
      await activeIaca(tenant)
      const settings = { claimMappings, validUntil: { mapFrom: 'claims.until' } }
      const configurationId = await sdJwtConfiguration(tenant, settings)
      const until = plusMs(service.clock.now(), 60_000).toISOString()
      const beforeRequest = () => service.clock.advance(120_000)
      return { configurationId, claims: { given_name: 'Ada', until }, beforeRequest }
    }),
    'the claim link was revoked after its code was exchanged': {
      step: 'credential requested',
      check: 'claim_link',
      async inject() {
        const { db } = service.deps
        const { id, address } = await newClaimLink(service, service, [await compactConfiguration(service)])
        const path = new URL(address).pathname
        await service.anonymous.post(path)
        const wallet = await newWallet(service, service.origin, offerIn((await service.anonymous.get(path)).body))
        expect(await wallet.redeem()).toMatchObject({ status: 200 })
        await db.tx((tx) => tx.update(claimLinks).set({ state: 'revoked' }).where(eq(claimLinks.id, id)))
        expect(await wallet.requestCredential()).toMatchObject({ status: 400 })
        return (await findClaimLink(db.read, service.id, id))?.offerId ?? ''
      },
    },
  }
}

interface Prepared {
  configurationId: string
  claims?: Record<string, unknown>
  beforeRequest?: () => void
}
