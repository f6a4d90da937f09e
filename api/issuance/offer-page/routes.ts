import { z } from 'zod'
import { notFound, Problem } from '../../../shared/errors/errors.ts'
import { described, idOf } from '../../http/fields.ts'
import { Answer } from '../../http/representations/answer.ts'
import { handlerMedia } from '../../http/representations/media.ts'
import { anyone, defineRoute, operators } from '../../http/route.ts'
import { exampleReference, pageAddressOf, referenceOf } from '../offers/reference.ts'
import { findShownById, findShownByReference, offerUriInput, shownStates } from '../offers/shown.ts'
import { offerProblemPage } from '../pages/problem-page.ts'
import { pageScript } from './asset.ts'
import { offerPage } from './page.ts'
import { qrPng, qrSvg, qrTextOf } from './qr.ts'

const tag = 'Offers'

/** A value that is not a reference (offers/reference.ts) matches no offer. */
const Params = z.object({
  offerId: described(
    z.string().max(200),
    'The id of the offer with the secret of its address, as in `page`',
    exampleReference('offer'),
  ),
})

const QrQuery = z.object({
  content: z
    .enum(['offer', 'page'])
    .default('offer')
    .describe(
      '`offer`: the offer, for the camera of a wallet. `page`: the https address of its page, for any camera. That code is smaller, so that it can be read from a distance. The page opens the wallet',
    ),
})

const State = z.object({
  state: described(
    z.enum(shownStates),
    '`opened` after a wallet exchanged its code, `usedUp` if it ended before',
    'offered',
  ),
})

export const offerPageRoutes = [
  defineRoute({
    operation: 'showOffer',
    summary: 'The page of an offer, for its recipient',
    tag,
    method: 'GET',
    path: '/o/:offerId',
    access: anyone,
    params: Params,
    status: 200,
    representations: { media: [handlerMedia('text/html')] },
    problems: ['not_found'],
    problemPage: offerProblemPage,
    async handle({ tenant, params, headers, deps }) {
      const offer = await findShownByReference(deps, tenant, params.offerId)
      if (!offer) throw new Problem('not_found')
      const page = await offerPage(deps, tenant, headers, offer)
      return new Answer(page.body, { headers: page.headers })
    },
  }),
  defineRoute({
    operation: 'retrieveOfferPageState',
    summary: 'The state of an offer, for its page',
    tag,
    method: 'GET',
    path: '/o/:offerId/state',
    access: anyone,
    params: Params,
    status: 200,
    response: State,
    problems: ['not_found'],
    async handle({ tenant, params, deps }) {
      const offer = await findShownByReference(deps, tenant, params.offerId)
      if (!offer) throw new Problem('not_found')
      return { state: offer.state }
    },
  }),
  defineRoute({
    operation: 'retrieveOfferPageScript',
    summary: 'The script of the offer page',
    tag,
    method: 'GET',
    path: '/o/assets/:name',
    host: 'any',
    access: anyone,
    params: z.object({ name: z.string().max(200) }),
    status: 200,
    representations: { media: [handlerMedia('text/javascript')], gzip: true, maxAgeSeconds: 'forever' },
    problems: ['not_found'],
    undocumented: true,
    async handle({ params }) {
      const { name, bytes, gzipped } = pageScript()
      if (params.name !== name) throw notFound('name')
      return new Answer(bytes, { gzipped: () => gzipped })
    },
  }),
  defineRoute({
    operation: 'retrieveOfferQr',
    summary: 'The QR code of an offer, to display elsewhere',
    tag,
    method: 'GET',
    path: '/v1/openid/offers/:id/qr',
    access: operators('admin', 'issuer', 'managed-issuer'),
    event: 'OPENID_OFFER_QR_RETRIEVE',
    params: z.object({ id: idOf('offer') }),
    query: QrQuery,
    status: 200,
    representations: {
      // The handler returns the text. Accept selects the image format.
      media: [
        handlerMedia('image/svg+xml', { payload: (text) => qrSvg(String(text), 'QR code of a credential offer') }),
        handlerMedia('image/png', { payload: (text) => qrPng(String(text)) }),
      ],
    },
    problems: ['bad_request', 'not_found', 'gone'],
    async handle({ tenant, params, query, deps, attribute: about }) {
      about(params.id)
      const offer = await findShownById(deps, tenant, params.id)
      if (!offer) throw notFound('id', params.id)
      if (offer.state !== 'offered') throw new Problem('gone')
      if (query.content === 'page') return pageAddressOf(tenant, referenceOf(deps, tenant, params.id))
      return qrTextOf(offerUriInput(deps, tenant, offer))
    },
  }),
]
