import type { Problem } from '../../../shared/errors/errors.ts'
import { html } from '../../../shared/pages/html.ts'
import { renderPage } from '../../../shared/pages/page.ts'
import { Answer } from '../../http/representations/answer.ts'
import type { ProblemPageRequest } from '../../http/route.ts'
import { pageBrandingOf } from './branding.ts'
import { renderContact } from './contact.ts'
import { type PageTexts, pageTexts } from './languages.ts'

/**
 * Returns the error page for a person, if there is no trusted redirect URI or no response (RFC 6749, section 4.1.2.1).
 * It has a link to the wallet if the problem has one.
 */
export function problemPage(problem: Problem, request: ProblemPageRequest): Answer {
  return pageNamed(nameOf(problem), problem, request)
}

/** Returns the error page of an offer. All client errors of its address become "no offer". */
export function offerProblemPage(problem: Problem, request: ProblemPageRequest): Answer {
  const name = nameOf(problem)
  return pageNamed(name === 'request' ? 'noOffer' : name, problem, request)
}

type PageName = keyof PageTexts['problems']

function pageNamed(name: PageName, problem: Problem, { deps, tenant, headers, requestId }: ProblemPageRequest): Answer {
  const { language, texts } = pageTexts(headers)
  const { labels, problems } = texts
  const { title, happened, advice } = problems[name]
  const content = html`<h1>${title}</h1>
<p>${happened}</p>
<p class="advice">${advice}</p>
${problem.returnTo === undefined ? undefined : html`<a class="action" href="${problem.returnTo}" rel="noreferrer">${labels.back}</a>`}
<div class="help">${labels.help}<code>${requestId}</code>
${isForExperts.has(name) ? html`<p>${labels.detail} <span lang="en">${problem.message}</span></p>` : undefined}</div>
${renderContact(tenant, headers)}`
  const page = renderPage({ language, title, branding: pageBrandingOf(deps, tenant), content })
  return new Answer(page.body, { status: problem.status, headers: page.headers })
}

/** Pages that include the technical message for support staff. */
const isForExperts: ReadonlySet<PageName> = new Set(['request', 'unavailable'])

function nameOf({ problem, status }: Problem): PageName {
  if (status >= 500) return 'trouble'
  switch (problem) {
    case 'too_many_requests':
      return 'busy'
    case 'sign_in_expired':
      return 'expired'
    case 'sign_in_handed_back':
      return 'handedBack'
    case 'sign_in_failed':
      return 'failed'
    case 'sign_in_step_failed':
      return 'step'
    case 'sign_in_unavailable':
      return 'unavailable'
    default:
      return 'request'
  }
}
