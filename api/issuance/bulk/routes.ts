import { z } from 'zod'
import {
  type BulkIssuanceRow,
  findBulkIssuance,
  isAbandoned,
  listBulkIssuances,
  removeBulkIssuance,
} from '../../../db/repos/issuance/bulk/bulk-issuances.ts'
import { maxBulkFileBytes } from '../../../shared/domain/issuance/bulk-issuances.ts'
import { notFound, Problem, wrongField } from '../../../shared/errors/errors.ts'
import { tableMedia } from '../../../shared/formats/table-file/write-table.ts'
import { isRowReader, rowReaders } from '../../access/shown-to.ts'
import { removeAudited } from '../../audit/audited-crud.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import type { Collection } from '../../http/collection.ts'
import { listOf } from '../../http/crud.ts'
import { idOf } from '../../http/fields.ts'
import { multipart } from '../../http/multipart/multipart.ts'
import { pageOf } from '../../http/page.ts'
import { Answer } from '../../http/representations/answer.ts'
import { handlerMedia } from '../../http/representations/media.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { confirmBulkResultsRoute } from './confirm-results.ts'
import { countLinks } from './link-counts.ts'
import { renewExpiredBulkLinksRoute } from './link-renewal.ts'
import { bulkLinkRoutes } from './link-routes.ts'
import { presentBulk, presentWarning } from './present.ts'
import { type Results, resultFileName, resultsIn, resultVersion } from './results.ts'
import { BulkRowView, RowQuery } from './row-schemas.ts'
import { pageOfRows, withoutMessage } from './rows.ts'
import { bulkRunRoutes } from './run-routes.ts'
import { AcceptedBulkIssuance, BulkIssuanceView, BulkQuery, NewBulkIssuance, ResultQuery } from './schemas.ts'
import { findStartFailure } from './start-failure.ts'
import { starterOf } from './starter.ts'
import { type BulkUpload, uploadBulk } from './upload.ts'

const access = operators(...rowReaders)
const tag = 'Bulk issuance'
const path = '/v1/bulk-issuances'

const bulks: Collection<BulkIssuanceRow> = {
  ...{ tag, access, path },
  id: 'id',
  events: 'BULK_ISSUANCE',
  view: BulkIssuanceView,
  present: (row, { deps, caller }) => presentBulk(row, deps.clock.now(), caller),
}

export const bulkIssuanceRoutes = [
  defineAuditedRoute({
    operation: 'createBulkIssuance',
    summary: 'Upload a file of people, to issue a credential or a claim link to each of them',
    ...{ tag, access, path },
    method: 'POST',
    event: 'BULK_ISSUANCE_CREATE',
    consumes: multipart({ file: 'file', limitBytes: maxBulkFileBytes, isReadFirst: true }),
    body: NewBulkIssuance,
    bodyLimitBytes: 300_000,
    status: 202,
    response: AcceptedBulkIssuance,
    problems: ['bad_request', 'conflict', 'service_unavailable'],
    async handle({ deps, tenantId, file, form: settings, caller, change, commitAnswer }) {
      const fileName = nameOf(file().fileName)
      const commit: BulkUpload['commit'] = (tx, id) => commitAnswer(tx, { id })
      const end = deps.uploads.begin(tenantId)
      try {
        const { stream } = file()
        return {
          id: await uploadBulk(deps, change, { tenantId, fileName, by: starterOf(caller), stream, settings, commit }),
        }
      } finally {
        end()
      }
    },
  }),
  listOf(bulks, {
    operation: 'retrieveBulkIssuances',
    summary: 'List the bulk issuances',
    query: BulkQuery,
    rows: ({ tenantId, query, deps }) => listBulkIssuances(deps.db.read, tenantId, { ...query, at: deps.clock.now() }),
  }),
  defineRoute({
    operation: 'retrieveBulkIssuance',
    summary: 'Retrieve a bulk issuance with its progress, and with the counts of its claim links',
    ...{ tag, access, path: `${path}/:id` },
    method: 'GET',
    event: 'BULK_ISSUANCE_RETRIEVE',
    params: z.object({ id: idOf('bulk issuance') }),
    status: 200,
    response: BulkIssuanceView,
    problems: ['bad_request', 'not_found'],
    async handle({ deps, tenantId, caller, params: { id } }) {
      const bulk = await findBulkIssuance(deps.db.read, tenantId, id)
      if (!bulk || isAbandoned(bulk, deps.clock.now())) throw notFound('id', id)
      const links = bulk.mode === 'links' ? await countLinks(deps, bulk) : undefined
      const startFailure = await findStartFailure(deps, bulk)
      const { use, warnings = [] } = bulk.columns
      return {
        ...presentBulk(bulk, deps.clock.now(), caller),
        ...(startFailure && { failure: startFailure }),
        ...(use && isRowReader(caller) && { columns: use }),
        ...(warnings.length > 0 && isRowReader(caller) && { warnings: warnings.map(presentWarning) }),
        ...(links && { links }),
      }
    },
  }),
  defineRoute({
    operation: 'retrieveBulkRows',
    summary: 'List the rows of a bulk issuance, with what is wrong with them',
    ...{ tag, access, path: `${path}/:id/rows` },
    method: 'GET',
    event: 'BULK_ISSUANCE_ROW_RETRIEVE_LIST',
    params: z.object({ id: idOf('bulk issuance') }),
    query: RowQuery,
    status: 200,
    response: pageOf(BulkRowView),
    problems: ['bad_request', 'not_found'],
    async handle({ deps, tenantId, caller, params: { id }, query }) {
      const bulk = await findBulkIssuance(deps.db.read, tenantId, id)
      if (!bulk) throw notFound('id', id)
      // The rows of a refused file are deleted soon.
      if (bulk.state === 'failed') return { data: [] }
      const page = await pageOfRows(deps, bulk, query)
      return isRowReader(caller) ? page : { ...page, data: page.data.map(withoutMessage) }
    },
  }),
  defineRoute({
    operation: 'retrieveBulkResults',
    summary: 'Download the credentials or the claim links of a bulk issuance as CSV or JSON Lines',
    ...{ tag, access, path: `${path}/:id/results` },
    method: 'GET',
    event: 'BULK_ISSUANCE_RESULT_RETRIEVE_LIST',
    params: z.object({ id: idOf('bulk issuance') }),
    query: ResultQuery,
    isLongLived: true,
    status: 200,
    representations: {
      media: [
        handlerMedia(tableMedia.csv.type, { payload: (answer) => resultsIn('csv', readResults(answer)) }),
        handlerMedia(tableMedia.jsonl.type, { payload: (answer) => resultsIn('jsonl', readResults(answer)) }),
      ],
      gzip: true,
      etag: 'version',
      attachment: true,
    },
    problems: ['bad_request', 'not_found', 'service_unavailable'],
    async handle({ deps, tenant, params: { id }, query }) {
      const bulk = await findBulkIssuance(deps.db.read, tenant.id, id)
      if (!bulk) throw notFound('id', id)
      const links = { deps, bulk, tenant }
      if (query.state !== undefined && bulk.mode === 'sign') throw withoutLinks()
      const results = { ...links, after: query.afterRow, state: query.state } satisfies Results
      const version = query.state === undefined ? resultVersion(links) : null
      return new Answer(results, { version, fileName: (mediaType) => resultFileName(bulk.fileName, mediaType) })
    },
  }),
  confirmBulkResultsRoute,
  ...bulkRunRoutes,
  ...bulkLinkRoutes,
  renewExpiredBulkLinksRoute,
  removeAudited(bulks, {
    operation: 'deleteBulkIssuance',
    summary:
      'Delete a bulk issuance with its file, its rows and its results. Issued credentials stay valid, and claim links end',
    remove: (tx, { tenantId, id, deps }) => removeBulkIssuance(tx, tenantId, id, deps.clock.now()),
  }),
]

const misleading = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u

/** Returns the name of the file without folders, which some browsers send. */
function nameOf(sent = ''): string {
  const name = sent.split(/[\\/]/).at(-1)?.trim() || 'people.csv'
  if (name.length > 255 || misleading.test(name)) {
    throw wrongField('file', 'The file name must have at most 255 characters, and no control characters')
  }
  return name
}

function withoutLinks(): Problem {
  const msg = 'Needs a bulk issuance with the mode links'
  return new Problem('bad_request', { details: [{ msg, param: 'state', location: 'query' }] })
}

/** Boundary: the handler returned it. */
function readResults(answer: unknown): Results {
  return answer as Results
}
