import { hold } from '../../../db/hold.ts'
import {
  deleteInbox,
  findInbox,
  type InboxRow,
  insertInbox,
  listInboxes,
  renameInbox,
} from '../../../db/repos/messaging/inboxes.ts'
import { inboxes as inboxTable } from '../../../db/tables/messaging/inboxes.ts'
import { changedFieldNames } from '../../../shared/changed-fields.ts'
import { notFound } from '../../../shared/errors/errors.ts'
import { enforceQuota } from '../../access/enforce-quota.ts'
import { auditedCrudOf } from '../../audit/audited-crud-of.ts'
import type { Versioned } from '../../http/collection.ts'
import { operators } from '../../http/route.ts'
import { inboxDidRoutes } from './did-routes.ts'
import { inboxMessageRoutes } from './message-routes.ts'
import { InboxView, NewInbox } from './schemas.ts'

const inboxes: Versioned<InboxRow> = {
  tag: 'Messaging',
  access: operators('admin', 'issuer', 'managed-issuer'),
  path: '/v1/messaging/inboxes',
  id: 'id',
  events: 'MESSAGING_INBOX',
  view: InboxView,
  hasVersions: true,
  present: ({ id, name }) => ({ id, name }),
}

export const inboxRoutes = [
  ...auditedCrudOf(inboxes, {
    name: 'Inbox',
    plural: 'Inboxes',
    create: {
      summary: 'Create an inbox',
      body: NewInbox,
      problems: ['conflict'],
      handle: ({ tenantId, body, deps, change }) =>
        change(async (tx, record) => {
          await enforceQuota(tx, tenantId, 'inboxes')
          const created = await insertInbox(tx, tenantId, body.name, deps.clock.now())
          record(tenantId, { id: created.id })
          return created
        }),
    },
    list: { summary: 'List the inboxes', rows: listInboxes },
    retrieve: { summary: 'Retrieve an inbox', find: findInbox },
    update: {
      summary: 'Give an inbox another name',
      body: NewInbox,
      handle: ({ tenantId, id, body, change, requireMatch }) =>
        change(async (tx, record) => {
          const before = await hold(tx, inboxTable, tenantId, id)
          if (before) await requireMatch(before)
          const row = await renameInbox(tx, tenantId, id, body.name)
          if (!before || !row) throw notFound('id', id)
          record(tenantId, { id, changed: changedFieldNames(before, row) })
          return row
        }),
    },
    delete: {
      summary: 'Delete an inbox with its messages; its DIDs are free at once',
      remove: (tx, { tenantId, id, deps }) => deleteInbox(tx, tenantId, id, deps.clock.now()),
      removed: ({ deps }) => deps.bus.poke(),
    },
  }),
  ...inboxDidRoutes,
  ...inboxMessageRoutes,
]
