import { z } from 'zod'
import {
  deleteInboxMessage,
  findInboxMessage,
  type InboxMessageRow,
  listInboxMessages,
} from '../../../db/repos/messaging/inbox-messages.ts'
import { notFound } from '../../../shared/errors/errors.ts'
import type { Collection } from '../../http/collection.ts'
import { remove, retrieve } from '../../http/crud.ts'
import { idOf } from '../../http/fields.ts'
import { PageQuery, pageOf, presentWalked } from '../../http/page.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { getInbox } from './get-inbox.ts'
import { InboxMessageView } from './schemas.ts'

const Params = z.object({ id: idOf('inbox') })

const messages: Collection<InboxMessageRow, typeof Params> = {
  tag: 'Messaging',
  access: operators('admin', 'issuer', 'managed-issuer'),
  path: '/v1/messaging/inboxes/:id/messages',
  within: Params,
  id: 'messageid',
  events: 'MESSAGING_INBOX_MESSAGE',
  view: InboxMessageView,
  present,
}

export const inboxMessageRoutes = [
  // A page has fewer messages than `limit` if the messages are large.
  defineRoute({
    operation: 'retrieveInboxMessages',
    summary: 'List the messages of an inbox in the order of their arrival',
    tag: messages.tag,
    method: 'GET',
    path: messages.path,
    access: messages.access,
    event: 'MESSAGING_INBOX_MESSAGE_RETRIEVE_LIST',
    params: Params,
    query: PageQuery,
    status: 200,
    response: pageOf(InboxMessageView),
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params, query: { limit, cursor }, deps }) {
      const { id } = await getInbox(deps.db.read, tenantId, params.id)
      return presentWalked(await listInboxMessages(deps.db.read, tenantId, id, limit, cursor), present)
    },
  }),
  retrieve(messages, {
    operation: 'retrieveInboxMessage',
    summary: 'Retrieve a message. The message stays in its inbox.',
    async find({ tenantId, id, params, deps }) {
      const inbox = await getInbox(deps.db.read, tenantId, params.id)
      return findInboxMessage(deps.db.read, tenantId, inbox.id, id)
    },
  }),
  remove(messages, {
    operation: 'deleteInboxMessage',
    summary: 'Delete a message from an inbox',
    async handle({ tenantId, id, params, deps }) {
      const inbox = await getInbox(deps.db.read, tenantId, params.id)
      const isRemoved = await deps.db.tx((tx) => deleteInboxMessage(tx, tenantId, inbox.id, id))
      if (!isRemoved) throw notFound(messages.id, id)
    },
  }),
]

function present({ id, inboxId, recipient, createdAt, message }: InboxMessageRow) {
  return { id, inboxId, name: recipient, createdAt: createdAt.toISOString(), payload: message }
}
