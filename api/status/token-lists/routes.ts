import { z } from 'zod'
import { findReadableTokenLists } from '../../../db/repos/status/published-lists.ts'
import { distributionPath, statusListPath, tokenListsPath } from '../../../shared/domain/status/status-lists.ts'
import { Problem } from '../../../shared/errors.ts'
import { described, exampleBaseUrl, exampleId } from '../../http/fields.ts'
import { handlerMedia } from '../../http/representations/media.ts'
import { anyone, defineRoute } from '../../http/route.ts'
import { answerList } from '../revocation-lists/published.ts'

/** The content that `answerList` returns for a token status list. */
interface Token {
  cwt: Buffer
  jwt: Buffer
}

// Boundary: the handler returns only this type.
const cwt = { payload: (token: unknown) => (token as Token).cwt, isDense: true } as const
const jwt = { payload: (token: unknown) => (token as Token).jwt }

const exampleUri = exampleBaseUrl + statusListPath('mobile', exampleId('token status list'))

const StatusListUris = z.object({
  status_lists: z
    .array(
      z.union([
        described(z.url(), 'The address of the list', exampleUri),
        z.object({ uri: z.url().describe('The address of the list') }),
      ]),
    )
    .describe('The addresses of the lists. In the format `legacy`, each address is in an object with `uri`.'),
})

export const tokenListRoutes = [
  defineRoute({
    operation: 'retrieveMobileStatusLists',
    summary: 'List the addresses of the token status lists of mobile credentials (`status_list_aggregation_endpoint`)',
    tag: 'Mobile',
    method: 'GET',
    path: distributionPath,
    access: anyone,
    event: 'MOBILE_CREDENTIAL_STATUS_LIST_DISTRIBUTION',
    aggregatesAnonymousEvents: true,
    status: 200,
    response: StatusListUris,
    representations: { maxAgeSeconds: 60, cors: true },
    async handle({ tenantId, tenant: { baseUrl, settings }, deps }) {
      const ids = await findReadableTokenLists(deps.db.read, tenantId, deps.clock.now())
      const uris = ids.map((id) => baseUrl + statusListPath('mobile', id))
      return { status_lists: settings.statusListFormat === 'legacy' ? uris.map((uri) => ({ uri })) : uris }
    },
  }),
  defineRoute({
    operation: 'retrieveMobileStatusListToken',
    summary: 'Retrieve a token status list as CWT or JWT',
    tag: 'Mobile',
    method: 'GET',
    path: `${tokenListsPath}/:statusListId/token`,
    access: anyone,
    event: 'MOBILE_CREDENTIAL_STATUS_LIST_TOKEN_RETRIEVE',
    aggregatesAnonymousEvents: true,
    params: z.object({ statusListId: described(z.string(), 'The id of the list', exampleId('token status list')) }),
    query: z.object({
      time: z.string().optional().describe('Not supported. Earlier versions of a list are not stored.'),
    }),
    status: 200,
    representations: {
      media: [
        handlerMedia('application/cwt', cwt),
        handlerMedia('application/statuslist+cwt', cwt),
        handlerMedia('application/statuslist+jwt', jwt),
      ],
      etag: 'version',
      maxAgeSeconds: 'answered',
      gzip: true,
      cors: true,
    },
    problems: ['not_found', 'gone', 'not_implemented'],
    async handle({ tenantId, params: { statusListId: id }, query, deps }) {
      if (query.time !== undefined)
        throw new Problem('not_implemented', {
          message: '`time` is not supported. Only the current version of a list is stored.',
        })
      return answerList(deps, { tenantId, kind: 'mobile', param: 'statusListId', id })
    },
  }),
]
