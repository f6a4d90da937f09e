import { z } from 'zod'
import { findCredential, listConfigurationCredentials } from '../../../db/repos/issuance/credentials.ts'
import type { CredentialRow } from '../../../db/repos/issuance/issuances.ts'
import { findRevocable } from '../../../db/repos/status/entries.ts'
import { notFound } from '../../../shared/errors.ts'
import { dayOrTime, idOf, named } from '../../http/fields.ts'
import { PageQuery, pageOf, toPage } from '../../http/page.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { presentIssuedCredential } from './present.ts'
import { IssuedCredentialView } from './schemas.ts'

const access = operators('admin', 'issuer', 'managed-issuer')
const tag = 'Users'

const Query = PageQuery.extend({
  configurationId: idOf('compact configuration').describe('The configuration of the credentials, of any profile'),
  issuedFrom: dayOrTime('T00:00:00.000Z').optional().describe('Issued at or after this day in UTC, or this timestamp'),
  issuedTo: dayOrTime('T23:59:59.999Z').optional().describe('Issued at or before this day in UTC, or this timestamp'),
  order: named('CredentialOrder', 'The order of the credentials', z.enum(['oldest', 'newest'])).default('oldest'),
})

/** The issued credentials of all users: metadata, never claim values. */
export const issuedCredentialRoutes = [
  defineRoute({
    operation: 'retrieveIssuedCredentials',
    summary: 'List the issued credentials of a configuration: metadata, never claim values',
    tag,
    method: 'GET',
    path: '/v2/credentials/issued',
    access,
    event: 'ISSUED_CREDENTIAL_RETRIEVE_LIST',
    query: Query,
    readsStandby: true,
    status: 200,
    response: pageOf(IssuedCredentialView),
    problems: ['bad_request'],
    async handle({ tenantId, query, deps }) {
      const { read } = deps.db
      const rows = await listConfigurationCredentials(read, tenantId, query)
      const ids = rows.map(({ id }) => id)
      const revocable = await findRevocable(read, tenantId, ids)
      const present = (row: CredentialRow) => presentIssuedCredential(row, revocable)
      return toPage(rows, query.limit, (row) => ({ at: row.issuedAt, id: row.id }), present)
    },
  }),
  defineRoute({
    operation: 'retrieveIssuedCredential',
    summary: 'Retrieve an issued credential: metadata, never claim values',
    tag,
    method: 'GET',
    path: '/v2/credentials/issued/:id',
    access,
    event: 'ISSUED_CREDENTIAL_RETRIEVE',
    params: z.object({ id: idOf('credential') }),
    status: 200,
    response: IssuedCredentialView,
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params: { id }, deps }) {
      const row = await findCredential(deps.db.read, tenantId, id)
      if (!row) throw notFound('id', id)
      return presentIssuedCredential(row, await findRevocable(deps.db.read, tenantId, [id]))
    },
  }),
]
