import type { z } from 'zod'
import type { Writer } from '../../../db/client.ts'
import { findConfigurationSigners } from '../../../db/repos/issuance/configuration-signers.ts'
import { insertSharedOffer } from '../../../db/repos/issuance/offers/offers.ts'
import { hashSecret, newId } from '../../../shared/ids.ts'
import type { Tenant } from '../../access/subjects.ts'
import { viewIdOf } from '../../access/views.ts'
import type { Deps } from '../../deps.ts'
import { findRecentServers, offeredIssuer, serverIdOf } from '../authorization-servers/offered-server.ts'
import { readerWarnings } from '../readers/offer-warnings.ts'
import { getOffered } from './configurations.ts'
import { authorizationOffer, offerUri } from './offer-object.ts'
import { pageAddressOf, referenceOf } from './reference.ts'
import type { SharedOfferRequest } from './schemas.ts'
import { offerAddressOf } from './shown.ts'
import { signerWarnings } from './signer-warnings.ts'
import { requirePublished } from './view-of-offer.ts'

/** Creates an offer that anyone who signs in can use (OpenID4VCI 1.0, section 3.5). `tenant` is the tenant through the view of the offer. */
export async function createSharedOffer(
  deps: Deps,
  tenant: Tenant,
  request: z.infer<typeof SharedOfferRequest>,
  commitAnswer: (tx: Writer, content: unknown) => Promise<void>,
) {
  const configurationIds = [...new Set(request.credentials)]
  const id = newId()
  const reference = referenceOf(deps, tenant, id)
  const isByReference = request.by === 'reference'
  const servers = await findRecentServers(deps, tenant.id)
  const authorizationServerId = serverIdOf(tenant, servers, request.authorizationServer)
  const viewId = viewIdOf(tenant)
  const row = {
    ...{ id, tenantId: tenant.id, configurationIds, requestParameters: request.request_parameters },
    ...{ referenceHash: hashSecret(reference), isByReference, authorizationServerId, viewId, deletedAt: null },
    ...{ label: request.label ?? null, createdAt: deps.clock.now() },
  }
  const server = offeredIssuer(tenant, servers, authorizationServerId)
  const content = authorizationOffer(tenant.issuer, configurationIds, id, server)
  const uri = offerUri({ ...offerAddressOf(tenant), content, reference, isByReference })
  const unreadable = await readerWarnings(deps, tenant, content)
  return deps.db.tx(async (tx) => {
    const offered = await getOffered(tx, tenant.id, request.credentials)
    await requirePublished(tx, tenant.id, viewId, offered)
    const { faults } = await findConfigurationSigners(tx, offered, row.createdAt)
    const warnings = [...unreadable, ...signerWarnings(faults)]
    await insertSharedOffer(tx, row)
    const made = {
      ...{ uri, page: pageAddressOf(tenant, reference) },
      ...(viewId !== null && { view: viewId }),
      ...(warnings.length > 0 && { warnings }),
    }
    await commitAnswer(tx, made)
    return { id, viewId, made }
  })
}
