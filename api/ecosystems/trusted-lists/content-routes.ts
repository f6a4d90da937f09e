import { handlerMedia } from '../../http/representations/media.ts'
import type { Representations } from '../../http/representations/representations.ts'
import { anyone, defineRoute, type Route } from '../../http/route.ts'
import { answerCertificates, answerChanges } from './content.ts'
import { type ListNames, listKindOf } from './list-names.ts'
import { ChangesQuery, issueParams, viewsOf } from './schemas.ts'

/** A published list never changes, so that its content can be cached for an hour. */
const representations: Representations = {
  media: [handlerMedia('application/json')],
  etag: 'version',
  maxAgeSeconds: 3600,
  gzip: true,
  cors: true,
}

/** Routes for the readable content of lists. The content is not signed. */
export function contentRoutes(names: ListNames): Route[] {
  const { name, noun, events, path, id } = names
  const views = viewsOf(names)
  const common = {
    tag: 'Ecosystems',
    method: 'GET',
    access: anyone,
    aggregatesAnonymousEvents: true,
    params: issueParams(names),
    status: 200,
    representations,
  } as const
  // Boundary: the name of the parameter depends on the kind. The schema has parsed it.
  const issueOf = (params: object) => {
    const { ecosystemId = '', [id]: number } = params as Record<string, string>
    return { kind: listKindOf(names, params), param: id, ecosystemId, number: Number(number) }
  }
  return [
    defineRoute({
      ...common,
      operation: `retrieve${noun}Changes`,
      summary: `Compare a ${name} with an earlier one. The result is not signed. Only the ${name} is authoritative.`,
      path: `${path}/public/:${id}/changes`,
      event: `${events}_CHANGES_RETRIEVE`,
      query: ChangesQuery,
      response: views.changes,
      problems: ['bad_request', 'not_found', 'service_unavailable'],
      handle: ({ tenantId, params, query: { since }, deps, deadlineAt }) =>
        answerChanges(deps, { tenantId, ...issueOf(params), deadlineAt }, Number(since)),
    }),
    defineRoute({
      ...common,
      operation: `retrieve${noun}Certificates`,
      summary: `List the certificates of a ${name}. The result is not signed. Only the ${name} is authoritative.`,
      path: `${path}/public/:${id}/certificates`,
      event: `${events}_CERTIFICATES_RETRIEVE`,
      response: views.certificates,
      problems: ['bad_request', 'not_found', 'service_unavailable'],
      handle: ({ tenantId, params, deps, deadlineAt }) =>
        answerCertificates(deps, { tenantId, ...issueOf(params), deadlineAt }),
    }),
  ]
}
