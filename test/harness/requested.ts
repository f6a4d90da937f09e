import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { insertRequested } from '../../db/repos/issuance/issuances.ts'
import { sessions } from '../../db/tables/issuance/sessions.ts'
import type { Claims } from '../../db/tables/issuance/users.ts'
import { newId } from '../../shared/ids.ts'
import { newHolderKey, newWallet } from '../wallets/wallet.ts'
import { newOffer } from './factories.ts'
import type { SharedService } from './harness.ts'

/** An offer whose code a wallet has exchanged. */
export async function redeemOffer(service: SharedService, configurationIds: string[]) {
  const offer = await newOffer(service, configurationIds)
  expect(await (await newWallet(service, service.origin, offer.uri)).redeem()).toMatchObject({ status: 200 })
  return offer
}

interface Wanted {
  offerId: string
  configurationId: string
  claims?: Claims | undefined
  /** Whether the issuance has no key of the holder. */
  isUnbound?: boolean
}

/** Writes the row of an issuance that is not signed yet. Returns its id. */
export async function requestIssuance(
  service: SharedService,
  { offerId, configurationId, claims, isUnbound = false }: Wanted,
): Promise<string> {
  const { db, clock } = service.deps
  const [session] = await db.read.select().from(sessions).where(eq(sessions.offerId, offerId))
  const { id: sessionId, tenantId, userId, authorizationId, viewId } = session!
  const [id, requestedAt] = [newId(), clock.now()]
  const holderKeys = isUnbound ? [] : [{ jwk: (await newHolderKey()).publicJwk as never }]
  const row = { id, tenantId, sessionId, offerId, authorizationId, userId, configurationId, holderKeys, requestedAt }
  const issuance = { ...row, viewId, claims: claims ?? { given_name: 'Ada', level: 'B1' }, validity: null }
  await db.tx((tx) => insertRequested(tx, issuance))
  return id
}
