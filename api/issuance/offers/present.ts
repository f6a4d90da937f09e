import type { z } from 'zod'
import type { ListedOffer } from '../../../db/repos/issuance/listed-offers.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { pageAddressOf, referenceOf } from './reference.ts'
import type { OfferView } from './schemas.ts'

export function presentOffer(deps: Deps, tenant: Tenant, offer: ListedOffer): z.infer<typeof OfferView> {
  const { id, kind, state, configurationIds, userId, createdAt, expiresAt } = offer
  return {
    id,
    kind,
    state,
    credentials: configurationIds,
    ...(userId !== null && { userId }),
    createdAt: createdAt.toISOString(),
    ...(expiresAt !== null && { expiresAt: expiresAt.getTime() }),
    page: pageAddressOf(tenant, referenceOf(deps, id)),
  }
}
