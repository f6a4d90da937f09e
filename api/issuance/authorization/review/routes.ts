import { z } from 'zod'
import { secret } from '../../../http/fields.ts'
import { Answer } from '../../../http/representations/answer.ts'
import { handlerMedia } from '../../../http/representations/media.ts'
import { anyone, defineRoute } from '../../../http/route.ts'
import { problemPage } from '../../pages/problem-page.ts'
import { resumeReview } from '../resume.ts'
import { answerReview, reviewAnswers } from './answer-review.ts'
import { reviewPage } from './page.ts'

const review = {
  tag: 'OpenID4VCI',
  path: '/v1/oauth/review',
  access: anyone,
  query: z.object({
    state: secret(z.string().max(200)).describe('Identifies the authorization, in the browser that started it'),
  }),
  problemPage,
} as const

export const reviewRoutes = [
  defineRoute({
    ...review,
    operation: 'showSignInReview',
    summary: 'The page before the sign-in, which says what will be issued. Shown if `reviewBeforeSignIn` is set',
    method: 'GET',
    status: 200,
    representations: { media: [handlerMedia('text/html')] },
    problems: ['sign_in_failed', 'sign_in_expired', 'sign_in_handed_back'],
    async handle({ tenant, query, headers, deps }) {
      const authorization = await resumeReview(deps, tenant, headers, query.state)
      const page = await reviewPage(deps, tenant, headers, authorization)
      return new Answer(page.body, { headers: page.headers })
    },
  }),
  defineRoute({
    ...review,
    operation: 'answerSignInReview',
    summary: 'Continue to the sign-in, or cancel and return to the wallet',
    method: 'POST',
    event: 'OPENID_SIGN_IN_REVIEW',
    body: z.object({ answer: z.enum(reviewAnswers).describe('The button that the person pressed') }),
    consumes: ['application/x-www-form-urlencoded'],
    status: 303,
    problems: ['sign_in_failed', 'sign_in_unavailable', 'sign_in_expired', 'sign_in_handed_back'],
    async handle({ tenant, query, body, headers, deps, attribute: about }) {
      const authorization = await resumeReview(deps, tenant, headers, query.state)
      about(authorization.offerId, { viewId: authorization.viewId })
      return answerReview(deps, tenant, authorization, body.answer)
    },
  }),
]
