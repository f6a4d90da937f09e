import { z } from 'zod'
import { eraseUser } from '../../../db/keeping/erasure.ts'
import { listUserCredentials } from '../../../db/repos/issuance/credentials.ts'
import { searchUsers } from '../../../db/repos/issuance/user-search.ts'
import { findUser, listUsers } from '../../../db/repos/issuance/users.ts'
import { notFound } from '../../../shared/errors.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { Uuid } from '../../http/fields.ts'
import { PageQuery, pageOf, presentWalked, toPage } from '../../http/page.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { presentCredentialRecord, presentUser } from './present.ts'
import { changeUser, createUser } from './save.ts'
import { CredentialRecordView, NewUser, UserChanges, UserSearch, UserView } from './schemas.ts'

const Params = z.object({ id: Uuid })
const CredentialParams = z.object({ userId: Uuid })
const access = operators('admin', 'issuer', 'managed-issuer')

export const userRoutes = [
  defineRoute({
    operation: 'createUser',
    summary: 'Create a user',
    tag: 'Users',
    method: 'POST',
    path: '/v1/users',
    access,
    event: 'USER_CREATE',
    body: NewUser,
    status: 201,
    response: UserView,
    problems: ['bad_request', 'conflict'],
    async handle({ tenantId, body, deps }) {
      return presentUser(await createUser(deps, tenantId, body))
    },
  }),
  defineRoute({
    operation: 'retrieveUsers',
    summary: 'List the users',
    tag: 'Users',
    method: 'GET',
    path: '/v1/users',
    access,
    event: 'USER_RETRIEVE_LIST',
    query: PageQuery,
    status: 200,
    response: pageOf(UserView),
    problems: ['bad_request'],
    async handle({ tenantId, query, deps }) {
      const rows = await listUsers(deps.db.read, tenantId, query.limit, query.cursor)
      return toPage(rows, query.limit, (row) => ({ at: row.createdAt, id: row.id }), presentUser)
    },
  }),
  defineRoute({
    operation: 'searchUsers',
    summary: 'Find users that match all criteria; a page may hold fewer than `limit` and still have a `nextCursor`',
    tag: 'Users',
    method: 'POST',
    path: '/v1/users/search',
    access,
    event: 'USER_SEARCH',
    body: UserSearch,
    status: 200,
    response: pageOf(UserView),
    problems: ['bad_request'],
    async handle({ tenantId, body, deps }) {
      const { claims, authenticationProvider: provider, limit, cursor } = body
      return presentWalked(await searchUsers(deps.db.read, tenantId, { claims, provider }, limit, cursor), presentUser)
    },
  }),
  defineRoute({
    operation: 'retrieveUser',
    summary: 'Retrieve a user',
    tag: 'Users',
    method: 'GET',
    path: '/v1/users/:id',
    access,
    event: 'USER_RETRIEVE',
    params: Params,
    status: 200,
    response: UserView,
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params, deps }) {
      const user = await findUser(deps.db.read, tenantId, params.id)
      if (!user) throw notFound('id', params.id)
      return presentUser(user)
    },
  }),
  defineRoute({
    operation: 'updateUser',
    summary: 'Replace the claims or the provider of a user',
    tag: 'Users',
    method: 'PUT',
    path: '/v1/users/:id',
    access,
    event: 'USER_UPDATE',
    params: Params,
    body: UserChanges,
    status: 200,
    response: UserView,
    problems: ['bad_request', 'not_found', 'conflict'],
    async handle({ tenantId, params, body, deps }) {
      return presentUser(await changeUser(deps, tenantId, params.id, body))
    },
  }),
  defineAuditedRoute({
    operation: 'deleteUser',
    summary: 'Delete a user and everything that was made for it',
    tag: 'Users',
    method: 'DELETE',
    path: '/v1/users/:id',
    access,
    event: 'USER_DELETE',
    params: Params,
    status: 204,
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params, change }) {
      await change(async (tx, tell) => {
        if (!(await eraseUser(tx, tenantId, params.id))) throw notFound('id', params.id)
        tell(tenantId, { id: params.id })
      })
    },
  }),
  defineRoute({
    operation: 'retrieveUserCredentials',
    summary: 'List what was issued to a user: metadata, never claim values',
    tag: 'Users',
    method: 'GET',
    path: '/v1/users/:userId/credentials',
    access,
    event: 'USER_CREDENTIAL_RETRIEVE_LIST',
    params: CredentialParams,
    query: PageQuery,
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
