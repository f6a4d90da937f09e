import type { Problem } from '../../../shared/errors.ts'
import { findProviderOf } from '../../access/console/provider.ts'
import { fromOwnPage, requireOwnPage } from '../../access/console/session.ts'
import { Answer } from '../../http/representations/answer.ts'
import { given } from '../../http/representations/media.ts'
import { anyone, defineRoute, type ProblemPageRequest } from '../../http/route.ts'
import { callbackPath } from '../provider/present.ts'
import { beginSignIn } from './begin.ts'
import { finishSignIn } from './finish.ts'
import { goOn } from './outcome.ts'
import { home } from './return-path.ts'
import { BeginSignIn, BegunSignInView, ProviderAnswer, WaysInView } from './schemas.ts'

const atProvider = { tag: 'Console', path: '/console/session/provider', host: 'either', access: anyone } as const

export const providerSignInRoutes = [
  defineRoute({
    ...atProvider,
    operation: 'retrieveWaysIn',
    summary: 'Where people can sign in at this host, for the page that asks them to',
    method: 'GET',
    status: 200,
    response: WaysInView,
    async handle({ tenant, deps }) {
      const provider = await findProviderOf(deps, tenant)
      const isPlatform = tenant.kind === 'platform'
      return { isPlatform, tenantName: tenant.name, ...(provider && { provider: { name: provider.name } }) }
    },
  }),
  defineRoute({
    ...atProvider,
    operation: 'beginProviderSignIn',
    summary:
      'Sign in at the provider: the answer says which page of it to open, and sets a cookie by which the browser is known again',
    method: 'POST',
    needsHeader: fromOwnPage,
    event: 'CONSOLE_PROVIDER_SIGN_IN',
    body: BeginSignIn,
    status: 201,
    response: BegunSignInView,
    problems: ['forbidden', 'not_found', 'service_unavailable'],
    async handle({ tenant, body, headers, deps }) {
      requireOwnPage(tenant, headers)
      const { url, cookie } = await beginSignIn(deps, tenant, headers, body.return)
      return new Answer({ url }, { headers: { 'Set-Cookie': cookie } })
    },
  }),
  defineRoute({
    ...atProvider,
    operation: 'finishProviderSignIn',
    summary:
      'Where the provider sends people back to: a page that goes on to the console, with a session or, behind `#error=`, a word that says why there is none',
    method: 'GET',
    path: callbackPath,
    event: 'CONSOLE_SIGN_IN',
    query: ProviderAnswer,
    status: 200,
    representations: { media: [given('text/html')] },
    problemPage,
    async handle({ tenant, query, headers, deps, requestId }) {
      const texts = Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
      return finishSignIn(deps, { tenant, headers, answer: Object.fromEntries(texts), requestId })
    },
  }),
]

/** For what no provider of ours sends, too much of it, and what went wrong here. */
function problemPage({ status }: Problem, { tenant }: ProblemPageRequest): Answer {
  const word = status === 429 || status >= 500 ? 'unavailable' : 'failed'
  return goOn(tenant, `${home}#error=${word}`)
}
