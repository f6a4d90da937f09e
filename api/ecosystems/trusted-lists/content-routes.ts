import { given } from '../../http/representations/media.ts'
import type { Representations } from '../../http/representations/representations.ts'
import { anyone, defineRoute, type Route } from '../../http/route.ts'
import { answerCertificates, answerChanges } from './content.ts'
import { CertificatesView, ChangesQuery, ChangesView, OfIssue } from './schemas.ts'
import type { ListWords } from './words.ts'

/** What was published does not change any more. */
const representations: Representations = {
  media: [given('application/json')],
  etag: 'version',
  maxAgeSeconds: 3600,
  gzip: true,
  cors: true,
}

/** What lists of a kind say, for people; nobody has signed that. */
export function contentRoutes(words: ListWords): Route[] {
  const { kind, name, noun, events, path, id } = words
  const common = {
    tag: 'Ecosystems',
    method: 'GET',
    access: anyone,
    isReadByCrowds: true,
    params: OfIssue(words),
    status: 200,
    representations,
  } as const
  // Boundary: the parameter's name is the kind's, and the schema has parsed it.
  const issueOf = (params: object) => {
    const { ecosystemId = '', [id]: number } = params as Record<string, string>
    return { kind, param: id, ecosystemId, number: Number(number) }
  }
  return [
    defineRoute({
      ...common,
      operation: `retrieve${noun}Changes`,
      summary: `What a ${name} says that an earlier one did not; nobody has signed it: what counts is what the ${name} says`,
      path: `${path}/public/:${id}/changes`,
      event: `${events}_CHANGES_RETRIEVE`,
      query: ChangesQuery,
      response: ChangesView,
      problems: ['bad_request', 'not_found', 'service_unavailable'],
      handle: ({ tenantId, params, query: { since }, deps, deadlineAt }) =>
        answerChanges(deps, { tenantId, ...issueOf(params), deadlineAt }, Number(since)),
    }),
    defineRoute({
      ...common,
      operation: `retrieve${noun}Certificates`,
      summary: `The certificates that a ${name} lists; nobody has signed it: what counts is what the ${name} says`,
      path: `${path}/public/:${id}/certificates`,
      event: `${events}_CERTIFICATES_RETRIEVE`,
      response: CertificatesView,
      problems: ['bad_request', 'not_found', 'service_unavailable'],
      handle: ({ tenantId, params, deps, deadlineAt }) =>
        answerCertificates(deps, { tenantId, ...issueOf(params), deadlineAt }),
    }),
  ]
}
