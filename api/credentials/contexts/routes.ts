import {
  type ContextRow,
  deleteContext,
  findContextRow,
  insertContext,
  isContextUsed,
  type ListedContext,
  listContexts,
} from '../../../db/repos/credentials/contexts.ts'
import { Problem, wrongField } from '../../../shared/errors/errors.ts'
import { findProcessingFault } from '../../../shared/formats/check-contexts.ts'
import { newId } from '../../../shared/ids.ts'
import { enforceQuota } from '../../access/enforce-quota.ts'
import { createAudited, removeAudited } from '../../audit/audited-crud.ts'
import type { Collection } from '../../http/collection.ts'
import { listOf, retrieve } from '../../http/crud.ts'
import { operators } from '../../http/route.ts'
import { ContextView, ListedContextView, NewContext } from './schemas.ts'

const listed: Collection<ListedContext> = {
  tag: 'Web semantic',
  access: operators('admin', 'issuer', 'managed-issuer'),
  path: '/v2/credentials/web-semantic/contexts',
  id: 'id',
  events: 'CREDENTIAL_WEB_SEMANTIC_CONTEXT',
  view: ListedContextView,
  present: ({ id, url }) => ({ id, url }),
}

const whole: Collection<ContextRow> = {
  ...listed,
  view: ContextView,
  present: ({ id, url, document }) => ({ id, url, document }),
}

export const contextRoutes = [
  createAudited(listed, {
    operation: 'createContext',
    summary: 'Create a JSON-LD context. Configurations can then use it.',
    body: NewContext,
    unique: ['url'],
    problems: ['conflict'],
    async handle({ tenantId, body: { url, document }, deps, change }) {
      const fault = await findProcessingFault([url], new Map([[url, document]]))
      if (fault) throw wrongField('document', `Must be a valid JSON-LD context of a credential: ${fault}`)
      const row = { id: newId(), tenantId, url, document, createdAt: deps.clock.now() }
      return change(async (tx, record) => {
        await enforceQuota(tx, tenantId, 'contexts')
        if (!(await insertContext(tx, row)))
          throw new Problem('conflict', { message: 'A context with this URL exists already' })
        record(tenantId, { id: row.id })
        return row
      })
    },
  }),
  listOf(listed, {
    operation: 'retrieveContexts',
    summary: "List the tenant's own JSON-LD contexts",
    rows: ({ tenantId, query, deps }) => listContexts(deps.db.read, tenantId, query.limit, query.cursor),
  }),
  retrieve(whole, {
    operation: 'retrieveContext',
    summary: 'Retrieve a JSON-LD context',
    find: ({ tenantId, id, deps }) => findContextRow(deps.db.read, tenantId, id),
  }),
  removeAudited(listed, {
    operation: 'deleteContext',
    summary: 'Delete a JSON-LD context that no configuration uses',
    problems: ['conflict'],
    async remove(tx, { tenantId, id }) {
      // Deletes first and then checks, because a transaction that uses the context locks its row (hold.ts).
      const url = await deleteContext(tx, tenantId, id)
      if (url !== undefined && (await isContextUsed(tx, tenantId, url)))
        throw new Problem('conflict', {
          message: 'A configuration uses the context. Remove the context from the configuration first.',
        })
      return url !== undefined
    },
  }),
]
