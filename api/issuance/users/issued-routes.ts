import { z } from 'zod'
import { findCredential } from '../../../db/repos/issuance/credentials.ts'
import {
  credentialStates,
  listCredentials,
  maxListedConfigurations,
} from '../../../db/repos/issuance/listed-credentials.ts'
import { findRevocable } from '../../../db/repos/status/entries.ts'
import { notFound, Problem } from '../../../shared/errors/errors.ts'
import { dayOrTime, described, idOf, named, withoutExample } from '../../http/fields.ts'
import { PageQuery, pageOf, presentWalked } from '../../http/page.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { CredentialProfileSchema, SignerId } from '../../status/credential-schemas.ts'
import { lastChangeField, lastChangeOf } from './last-change.ts'
import { presentIssuedCredential } from './present.ts'
import { IssuedCredentialView } from './schemas.ts'

const access = operators('admin', 'issuer', 'managed-issuer')
const tag = 'Users'

const Query = PageQuery.extend({
  configurationId: withoutExample(idOf('compact configuration'))
    .optional()
    .describe(
      'The configuration of the credentials, of any profile. Absent: the credentials of all configurations, also of ' +
        `deleted ones. Required if more than ${maxListedConfigurations.toLocaleString('en')} configurations have credentials`,
    ),
  issuedFrom: dayOrTime('T00:00:00.000Z').optional().describe('Issued at or after this day in UTC, or this timestamp'),
  issuedTo: dayOrTime('T23:59:59.999Z').optional().describe('Issued at or before this day in UTC, or this timestamp'),
  state: named(
    'CredentialState',
    '`valid`; `revoked`: its status is `invalid`; `suspended`; `expired`: its status is `valid`, and its `validUntil` has passed',
    z.enum(credentialStates),
  )
    .optional()
    .describe('Returns only credentials in this state'),
  profile: CredentialProfileSchema.optional().describe('Returns only credentials of this profile'),
  type: described(z.string().max(500), 'Returns only credentials of this type', 'CourseCertificate').optional(),
  signerId: withoutExample(SignerId)
    .optional()
    .describe('Returns only credentials of this signer: a certificate or a key'),
  order: named('CredentialOrder', 'The order of the credentials', z.enum(['oldest', 'newest'])).default('oldest'),
})

const tooMany = {
  param: 'configurationId',
  location: 'query' as const,
  msg: `Required, because more than ${maxListedConfigurations.toLocaleString('en')} configurations have credentials`,
}

/** The issued credentials of all users: metadata, never claim values. */
export const issuedCredentialRoutes = [
  defineRoute({
    operation: 'retrieveIssuedCredentials',
    summary:
      'List issued credentials, also by configuration, time, state, profile, type and signer: metadata, never claim values. A page can have fewer entries ' +
      'than `limit` and still have a `nextCursor`',
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
      const page = await listCredentials(read, tenantId, query, deps.clock.now())
      if (!page) throw new Problem('bad_request', { details: [tooMany] })
      const ids = page.rows.map(({ id }) => id)
      const revocable = await findRevocable(read, tenantId, ids)
      return presentWalked(page, (row) => presentIssuedCredential(row, revocable))
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
    response: IssuedCredentialView.extend(lastChangeField),
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params: { id }, deps }) {
      const row = await findCredential(deps.db.read, tenantId, id)
      if (!row) throw notFound('id', id)
      const credential = presentIssuedCredential(row, await findRevocable(deps.db.read, tenantId, [id]))
      return { ...credential, ...(await lastChangeOf(deps.db.read, tenantId, id)) }
    },
  }),
]
