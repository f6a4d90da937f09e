import { z } from 'zod'
import { findListedOffer, listOffers } from '../../../db/repos/issuance/offers/listed-offers.ts'
import { deleteOffer, deleteSharedOffer } from '../../../db/repos/issuance/offers/offers.ts'
import { notFound } from '../../../shared/errors/errors.ts'
import { idOf } from '../../http/fields.ts'
import { pageOf, presentWalked } from '../../http/page.ts'
import { anyone, defineRoute, operators } from '../../http/route.ts'
import { createPreAuthorizedOffer } from './create-pre-authorized.ts'
import { createSharedOffer } from './create-shared.ts'
import { presentOffer, presentOfferDetails } from './present.ts'
import { exampleReference, referencePattern } from './reference.ts'
import {
  CredentialOfferView,
  OfferDetailsView,
  OfferQuery,
  OfferView,
  PreAuthorizedOfferRequest,
  PreAuthorizedOfferView,
  SharedOfferRequest,
  SharedOfferView,
} from './schemas.ts'
import { serveOffer } from './serve-offer.ts'
import { findShownById } from './shown.ts'
import { offerTimeline } from './timeline.ts'
import { OfferTimelineView } from './timeline-schemas.ts'
import { withViewOfOffer } from './view-of-offer.ts'

const Params = z.object({ id: idOf('offer') })

const Reference = z
  .string()
  .regex(
    referencePattern,
    'Must be the secret address of an offer, as in its credential_offer_uri. Operators read an offer at GET /v1/openid/offers/{id}/details',
  )
  .meta({
    description: 'The secret address of the offer, as in its URI',
    examples: [exampleReference('offer')],
  })
const access = operators('admin', 'issuer', 'managed-issuer')
const tag = 'Offers'

export const offerRoutes = [
  defineRoute({
    operation: 'createOffer',
    summary: 'Offer credentials to anyone who signs in',
    tag,
    method: 'POST',
    path: '/v1/openid/offers',
    access,
    event: 'OPENID_OFFER_CREATE',
    body: SharedOfferRequest,
    status: 200,
    creates: true,
    response: SharedOfferView,
    problems: ['bad_request'],
    async handle({ tenant, body, deps, attribute: about, commitAnswer }) {
      const { id, viewId, made } = await withViewOfOffer(deps, tenant, body, (through) =>
        createSharedOffer(deps, through, body, commitAnswer),
      )
      about(id, { viewId })
      return made
    },
  }),
  defineRoute({
    operation: 'retrieveOffers',
    summary:
      'List the offers of both kinds. A page may contain fewer than `limit` offers and still have a `nextCursor`',
    tag,
    method: 'GET',
    path: '/v1/openid/offers',
    access,
    event: 'OPENID_OFFER_RETRIEVE_LIST',
    query: OfferQuery,
    readsStandby: true,
    status: 200,
    response: pageOf(OfferView),
    problems: ['bad_request'],
    async handle({ tenant, caller, query, deps }) {
      const walked = await listOffers(deps.db.read, tenant.id, query, deps.clock.now())
      return presentWalked(walked, (offer) => presentOffer(deps, tenant, caller, offer))
    },
  }),
  defineRoute({
    operation: 'createPreAuthorizedOffer',
    summary: 'Offer credentials to one user without a sign-in',
    tag,
    method: 'POST',
    path: '/v1/openid/offers/pre-authorized',
    access,
    event: 'OPENID_PRE_AUTHORIZED_OFFER_CREATE',
    body: PreAuthorizedOfferRequest,
    compiled: true,
    bodyLimitBytes: 500_000,
    status: 200,
    creates: true,
    response: PreAuthorizedOfferView,
    problems: ['bad_request', 'payload_too_large'],
    async handle({ tenant, body, deps, attribute: about, commitAnswer }) {
      const offer = await createPreAuthorizedOffer(deps, tenant, body, commitAnswer)
      about(offer.id, { userId: offer.userId, viewId: offer.view })
      return offer
    },
  }),
  defineRoute({
    operation: 'deletePreAuthorizedOffer',
    summary: 'Delete a pre-authorized offer in any state',
    tag,
    method: 'DELETE',
    path: '/v1/openid/offers/pre-authorized/:id',
    access,
    event: 'OPENID_PRE_AUTHORIZED_OFFER_DELETE',
    params: Params,
    status: 204,
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params, deps, attribute: about }) {
      about(params.id)
      const deleted = await deps.db.tx((tx) => deleteOffer(tx, tenantId, params.id))
      if (!deleted) throw notFound('id', params.id)
    },
  }),
  defineRoute({
    operation: 'deleteOffer',
    summary: 'Delete an offer of either kind in any state',
    tag,
    method: 'DELETE',
    path: '/v1/openid/offers/:id',
    access,
    event: 'OPENID_OFFER_DELETE',
    params: Params,
    status: 204,
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params: { id }, deps, attribute: about }) {
      about(id)
      const deleted = await deps.db.tx(
        async (tx) =>
          (await deleteSharedOffer(tx, tenantId, id, deps.clock.now())) || (await deleteOffer(tx, tenantId, id)),
      )
      if (!deleted) throw notFound('id', id)
    },
  }),
  defineRoute({
    operation: 'serveOffer',
    isOfViews: true,
    summary: 'The offer behind a credential_offer_uri',
    tag,
    method: 'GET',
    path: '/v1/openid/offers/:id',
    access: anyone,
    params: z.object({ id: Reference }),
    status: 200,
    response: CredentialOfferView,
    representations: { cors: true },
    problems: ['bad_request', 'not_found', 'gone'],
    handle: ({ tenant, params, deps }) => serveOffer(deps, tenant, params.id),
  }),
  defineRoute({
    operation: 'retrieveOffer',
    summary: 'Retrieve an offer of either kind with its state',
    tag,
    method: 'GET',
    path: '/v1/openid/offers/:id/details',
    access,
    event: 'OPENID_OFFER_RETRIEVE',
    params: Params,
    status: 200,
    response: OfferDetailsView,
    problems: ['bad_request', 'not_found'],
    async handle({ tenant, caller, params: { id }, deps }) {
      const offer = await findListedOffer(deps.db.read, tenant.id, id, deps.clock.now())
      if (!offer) throw notFound('id', id)
      return presentOfferDetails(deps, tenant, caller, offer, await findShownById(deps, tenant, id))
    },
  }),
  defineRoute({
    operation: 'retrieveOfferTimeline',
    summary: 'Retrieve the timeline of an offer: its steps, and the check that refused a step',
    tag,
    method: 'GET',
    path: '/v1/openid/offers/:id/timeline',
    access,
    event: 'OPENID_OFFER_TIMELINE_RETRIEVE',
    params: Params,
    readsStandby: true,
    status: 200,
    response: OfferTimelineView,
    problems: ['bad_request', 'not_found'],
    async handle({ tenant, params, deps }) {
      return { data: await offerTimeline(deps, tenant, params.id) }
    },
  }),
]
