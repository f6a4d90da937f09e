import { z } from 'zod'
import { described, idOf } from '../../http/fields.ts'
import { Answer } from '../../http/representations/answer.ts'
import { handlerMedia } from '../../http/representations/media.ts'
import { anyone, defineRoute } from '../../http/route.ts'
import { exampleReference } from '../offers/reference.ts'
import { offerProblemPage } from '../pages/problem-page.ts'
import { createClaimLinkRoute } from './create.ts'
import { openClaimLinkOf } from './open.ts'
import { claimLinkPage } from './page.ts'
import { claimLinkPageStates, getShownClaimLink } from './shown.ts'

const tag = 'Offers'

/** A value that is not a reference matches no link. */
const Params = z.object({
  linkId: described(
    z.string().max(200),
    'The id of the link with the secret of its address',
    exampleReference('claim link'),
  ),
})

const State = z.object({
  state: described(
    z.enum(claimLinkPageStates),
    '`ready` if a person can make an offer, `opened` after a wallet exchanged its code, `usedUp` after too many wrong transaction codes',
    'offered',
  ),
  offer: idOf('offer').optional().describe('The id of the usable offer'),
})

export const claimLinkRoutes = [
  createClaimLinkRoute,
  defineRoute({
    operation: 'showClaimLink',
    summary: 'The page of a claim link, for its recipient. It makes no offer',
    tag,
    method: 'GET',
    path: '/l/:linkId',
    access: anyone,
    params: Params,
    status: 200,
    representations: { media: [handlerMedia('text/html')] },
    problems: ['not_found'],
    problemPage: offerProblemPage,
    async handle({ tenant, params, headers, deps }) {
      const link = await getShownClaimLink(deps, tenant, params.linkId)
      const page = await claimLinkPage(deps, tenant, headers, link)
      return new Answer(page.body, { headers: page.headers })
    },
  }),
  defineRoute({
    operation: 'openClaimLink',
    summary: 'Make a fresh offer of a claim link, and return to its page',
    tag,
    method: 'POST',
    path: '/l/:linkId',
    access: anyone,
    event: 'OPENID_CLAIM_LINK_OPEN',
    params: Params,
    status: 303,
    problems: ['not_found'],
    problemPage: offerProblemPage,
    async handle({ tenant, params, deps, attribute }) {
      const opened = await openClaimLinkOf(deps, tenant, params.linkId)
      if (opened) attribute(opened.offerId, opened)
      const headers = { Location: `/l/${params.linkId}`, 'Referrer-Policy': 'no-referrer' }
      return new Answer(undefined, { headers })
    },
  }),
  defineRoute({
    operation: 'retrieveClaimLinkPageState',
    summary: 'The state of a claim link, for its page',
    tag,
    method: 'GET',
    path: '/l/:linkId/state',
    access: anyone,
    params: Params,
    status: 200,
    response: State,
    problems: ['not_found'],
    async handle({ tenant, params, deps }) {
      const { state, offer } = await getShownClaimLink(deps, tenant, params.linkId)
      return { state, ...(offer && { offer: offer.id }) }
    },
  }),
]
