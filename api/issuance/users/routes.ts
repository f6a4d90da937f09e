import { z } from 'zod'
import { listUserCredentials } from '../../../db/repos/issuance/credentials.ts'
import { searchUsers } from '../../../db/repos/issuance/users/user-search.ts'
import { findUser, listUsers, type User } from '../../../db/repos/issuance/users/users.ts'
import { notFound, Problem } from '../../../shared/errors/errors.ts'
import { isClaimsReader } from '../../access/shown-to.ts'
import { type Audited, defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { removal, type Versioned } from '../../http/collection.ts'
import { create, listOf, replace, retrieve } from '../../http/crud.ts'
import { idOf } from '../../http/fields.ts'
import { PageQuery, pageOf, presentWalked, toPage } from '../../http/page.ts'
import { Answer } from '../../http/representations/answer.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { deleteUser } from './delete.ts'
import { erasureSaltHeader, findEarlierErasure, newSalt, sentSaltOf } from './erasure-salt.ts'
import { exportUserRoute } from './export/export-route.ts'
import { presentCredentialRecord, presentUser, presentUserWithoutClaims } from './present.ts'
import { changeUser, createUser } from './save.ts'
import { CredentialRecordView, FoundUserView, NewUser, UserChanges, UserSearch, UserView } from './schemas.ts'

const CredentialParams = z.object({ userId: idOf('user') })
const access = operators('admin', 'issuer', 'managed-issuer')

const users: Versioned<User> = {
  tag: 'Users',
  access,
  path: '/v1/users',
  id: 'id',
  idSchema: idOf('user'),
  events: 'USER',
  view: UserView,
  hasVersions: true,
  present: presentUser,
}

export const userRoutes = [
  create(users, {
    operation: 'createUser',
    summary: 'Create a user',
    body: NewUser,
    problems: ['conflict'],
    handle: ({ tenantId, body, deps, write }) => createUser(deps, write, tenantId, body),
  }),
  listOf(users, {
    operation: 'retrieveUsers',
    summary: 'List the users',
    rows: ({ tenantId, query, deps }) => listUsers(deps.db.read, tenantId, query.limit, query.cursor),
  }),
  defineRoute({
    operation: 'searchUsers',
    changesTenant: false,
    summary:
      'Find users that match all criteria. A page may contain fewer than `limit` users and still have a `nextCursor`',
    tag: 'Users',
    method: 'POST',
    path: '/v1/users/search',
    access,
    event: 'USER_SEARCH',
    body: UserSearch,
    readsStandby: true,
    status: 200,
    response: pageOf(FoundUserView),
    problems: ['bad_request'],
    async handle({ tenantId, caller, body, deps }) {
      const { authenticationProvider: provider, withClaims, limit, cursor, ...criteria } = body
      const mayRead = isClaimsReader(caller)
      if (criteria.claims && !mayRead) throw withoutClaims()
      const page = await searchUsers(deps.db.read, tenantId, { ...criteria, provider }, limit, cursor)
      return withClaims && mayRead
        ? presentWalked(page, (user) => presentUser(user, { caller }))
        : presentWalked(page, presentUserWithoutClaims)
    },
  }),
  retrieve(users, {
    operation: 'retrieveUser',
    summary: 'Retrieve a user',
    find: ({ tenantId, id, deps }) => findUser(deps.db.read, tenantId, id),
  }),
  replace(users, {
    operation: 'updateUser',
    summary: 'Replace the claims of a user and optionally its subject at a provider',
    body: UserChanges,
    problems: ['conflict'],
    handle: ({ tenantId, id, body, deps, requireMatch }) => changeUser(deps, tenantId, id, body, requireMatch),
  }),
  defineAuditedRoute(
    removal<User, undefined, Audited>(users, {
      operation: 'deleteUser',
      summary:
        'Delete a user and all its data, and revoke its credentials. `Erasure-Id` is the id of the receipt (`GET /v1/erasures/{id}`). ' +
        '`Erasure-Salt` is shown once: the key of the HMAC that identifies the user in the receipt',
      acceptsHeader: erasureSaltHeader,
      async handle({ tenantId, id, requestId, headers, deps, change, repeated }) {
        const sentSalt = sentSaltOf(headers)
        const earlier = sentSalt && (await findEarlierErasure(deps, { tenantId, id, salt: sentSalt }))
        const erasure = earlier
          ? repeated(earlier)
          : await deleteUser(deps, { tenantId, id, requestId, salt: sentSalt ?? newSalt() }, change)
        return new Answer(undefined, { headers: { 'Erasure-Id': erasure.id, 'Erasure-Salt': erasure.salt } })
      },
    }),
  ),
  exportUserRoute,
  defineRoute({
    operation: 'retrieveUserCredentials',
    summary: 'List the issued credentials of a user: metadata, never claim values',
    tag: 'Users',
    method: 'GET',
    path: '/v1/users/:userId/credentials',
    access,
    event: 'USER_CREDENTIAL_RETRIEVE_LIST',
    params: CredentialParams,
    query: PageQuery,
    readsStandby: true,
    status: 200,
    response: pageOf(CredentialRecordView),
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params, query, deps }) {
      if (!(await findUser(deps.db.read, tenantId, params.userId))) throw notFound('userId', params.userId)
      const rows = await listUserCredentials(deps.db.read, tenantId, params.userId, query.limit, query.cursor)
      return toPage(rows, query.limit, (row) => ({ at: row.issuedAt, id: row.id }), presentCredentialRecord)
    },
  }),
]

/** The answer would tell whether a person has a claim. */
function withoutClaims(): Problem {
  const msg = 'Your roles cannot read claims. Search by `label`, `ids` or `authenticationProvider`.'
  return new Problem('bad_request', { details: [{ msg, param: 'claims', location: 'body' }] })
}
