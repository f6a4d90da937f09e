import { z } from 'zod'
import { type InboxDidRow, listInboxDids, unregisterDid } from '../../../db/repos/messaging/inbox-dids.ts'
import { notFound } from '../../../shared/errors/errors.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { type Collection, ofItem } from '../../http/collection.ts'
import { listOf } from '../../http/crud.ts'
import { described, idOf } from '../../http/fields.ts'
import { operators } from '../../http/route.ts'
import { Did, exampleKeyDid } from '../../identifiers/dids/schemas.ts'
import { getInbox } from './get-inbox.ts'
import { registerDidAtInbox } from './register.ts'
import { NewInboxDid, RegisteredDid } from './schemas.ts'

const InboxDid = described(Did, 'A DID of the inbox', exampleKeyDid)
const Params = z.object({ id: idOf('inbox') })

const dids: Collection<InboxDidRow, typeof Params> = {
  tag: 'Messaging',
  access: operators('admin', 'issuer', 'managed-issuer'),
  path: '/v1/messaging/inboxes/:id/dids',
  within: Params,
  id: 'did',
  idSchema: InboxDid,
  events: 'MESSAGING_INBOX_DID',
  view: described(z.string(), 'A DID', exampleKeyDid),
  present: ({ did }) => did,
}

export const inboxDidRoutes = [
  defineAuditedRoute({
    operation: 'registerInboxDid',
    summary: 'Register a DID at an inbox. The inbox receives the messages to the DID.',
    tag: dids.tag,
    method: 'POST',
    path: dids.path,
    access: dids.access,
    event: 'MESSAGING_INBOX_DID_REGISTER',
    params: Params,
    body: NewInboxDid,
    unique: ['did'],
    status: 201,
    response: RegisteredDid,
    problems: ['bad_request', 'not_found', 'conflict'],
    handle: ({ tenant, params, body, deps, deadlineAt, change, commitAnswer }) =>
      registerDidAtInbox({ deps, tenant, deadlineAt, change, commitAnswer }, params.id, body),
  }),
  listOf(dids, {
    operation: 'retrieveInboxDids',
    summary: 'List the DIDs that are registered at an inbox',
    problems: ['not_found'],
    async rows({ tenantId, params, query, deps }) {
      const { id } = await getInbox(deps.db.read, tenantId, params.id)
      return listInboxDids(deps.db.read, tenantId, id, query)
    },
  }),
  defineAuditedRoute({
    operation: 'unregisterInboxDid',
    summary: 'Remove a DID from an inbox. The inbox receives no more messages to the DID.',
    ...ofItem(dids),
    method: 'DELETE',
    event: 'MESSAGING_INBOX_DID_UNREGISTER',
    params: Params.extend({ did: InboxDid }),
    status: 204,
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params: { id, did }, change }) {
      await change(async (tx, record) => {
        await getInbox(tx, tenantId, id)
        if (!(await unregisterDid(tx, tenantId, id, did))) throw notFound('did', did)
        record(tenantId, { id, did })
      })
    },
  }),
]
