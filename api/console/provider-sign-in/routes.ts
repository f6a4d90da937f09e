import type { Problem } from '../../../shared/errors/errors.ts'
import { findProviderOf } from '../../access/console/provider.ts'
import { consoleHeaderParameter, requireOwnPage } from '../../access/console/session.ts'
import { Answer } from '../../http/representations/answer.ts'
import { handlerMedia } from '../../http/representations/media.ts'
import { anyone, defineRoute, type ProblemPageRequest } from '../../http/route.ts'
import { callbackPath } from '../provider/present.ts'
import { beginSignIn } from './begin.ts'
import { finishSignIn } from './finish.ts'
import { continueAt } from './outcome.ts'
import { consoleHome } from './return-path.ts'
import { BeginSignIn, BegunSignInView, ProviderAnswer, SignInOptionsView } from './schemas.ts'

const atProvider = { tag: 'Console', path: '/console/session/provider', host: 'either', access: anyone } as const

export const providerSignInRoutes = [
  defineRoute({
    ...atProvider,
    operation: 'retrieveWaysIn',
    summary: 'Retrieve the sign-in methods of this host, for the sign-in page',
    method: 'GET',
    status: 200,
    response: SignInOptionsView,
    async handle({ tenant, deps }) {
      const provider = await findProviderOf(deps, tenant)
      const isPlatform = tenant.kind === 'platform'
      return { isPlatform, tenantName: tenant.name, ...(provider && { provider: { name: provider.name } }) }
    },
  }),
  defineRoute({
    ...atProvider,
    operation: 'beginProviderSignIn',
    changesTenant: false,
    summary:
      'Start a sign-in at the provider. The response has the address of the provider and sets a cookie that identifies the browser.',
    method: 'POST',
    needsHeader: consoleHeaderParameter,
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
      'The callback of the provider: a page that forwards to the console, with a session, or with an error code in the fragment (`#error=`)',
    method: 'GET',
    path: callbackPath,
    event: 'CONSOLE_SIGN_IN',
    query: ProviderAnswer,
    status: 200,
    representations: { media: [handlerMedia('text/html')] },
    problemPage,
    async handle({ tenant, query, headers, deps, requestId }) {
      const texts = Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
      return finishSignIn(deps, { tenant, headers, answer: Object.fromEntries(texts), requestId })
    },
  }),
]

/** Returns the browser to the console after an invalid callback, a rate limit or an internal error. */
function problemPage({ status }: Problem, { tenant }: ProblemPageRequest): Answer {
  const failure = status === 429 || status >= 500 ? 'busy' : 'failed'
  return continueAt(tenant, `${consoleHome}#error=${failure}`)
}
