import { hold } from '../../../db/hold.ts'
import {
  deletePresentationTemplate,
  findPresentationTemplate,
  insertPresentationTemplate,
  listPresentationTemplates,
  type PresentationTemplateRow,
  updatePresentationTemplate,
} from '../../../db/repos/credentials/presentation-templates.ts'
import { presentationTemplates } from '../../../db/tables/credentials/presentation-templates.ts'
import { notFound, wrongField } from '../../../shared/errors/errors.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { enforceQuota } from '../../access/enforce-quota.ts'
import type { Versioned } from '../../http/collection.ts'
import { create, listOf, remove, replace, retrieve } from '../../http/crud.ts'
import { operators } from '../../http/route.ts'
import { TemplateBody, TemplateUpdate, TemplateView } from './schemas.ts'

const templates: Versioned<PresentationTemplateRow> = {
  tag: 'Presentations',
  access: operators('admin', 'verifier'),
  path: '/v2/credentials/web-semantic/presentations/templates',
  id: 'id',
  events: 'PRESENTATION_WEB_SEMANTIC_TEMPLATE',
  view: TemplateView,
  hasVersions: true,
  present: ({ id, domain, name, query }) => ({ id, domain, name, query }),
}

export const presentationTemplateRoutes = [
  create(templates, {
    operation: 'createPresentationTemplate',
    summary: 'Create a template of presentation requests',
    body: TemplateBody,
    problems: ['conflict'],
    handle: ({ tenantId, body, deps, write }) =>
      write(async (tx) => {
        await enforceQuota(tx, tenantId, 'presentationTemplates')
        const createdAt = deps.clock.now()
        const row = { id: newOrderedId(createdAt), tenantId, ...body, createdAt }
        await insertPresentationTemplate(tx, row)
        return row
      }),
  }),
  listOf(templates, {
    operation: 'retrievePresentationTemplates',
    summary: 'List the templates of presentation requests',
    rows: ({ tenantId, query, deps }) => listPresentationTemplates(deps.db.read, tenantId, query),
  }),
  retrieve(templates, {
    operation: 'retrievePresentationTemplate',
    summary: 'Retrieve a template of presentation requests',
    find: ({ tenantId, id, deps }) => findPresentationTemplate(deps.db.read, tenantId, id),
  }),
  replace(templates, {
    operation: 'updatePresentationTemplate',
    summary: 'Update a template. The update applies to later requests.',
    body: TemplateUpdate,
    async handle({ tenantId, id, body: { id: named, ...content }, deps, requireMatch }) {
      if (named !== undefined && named !== id) throw wrongField('id', 'Must be the one in the path', named)
      return deps.db.tx(async (tx) => {
        const before = await hold(tx, presentationTemplates, tenantId, id)
        if (before) await requireMatch(before)
        const row = await updatePresentationTemplate(tx, tenantId, id, content)
        if (!row) throw notFound('id', id)
        return row
      })
    },
  }),
  remove(templates, {
    operation: 'deletePresentationTemplate',
    summary: 'Delete a template. Requests that were created from it stay valid.',
    async handle({ tenantId, id, deps }) {
      const isDeleted = await deps.db.tx((tx) => deletePresentationTemplate(tx, tenantId, id))
      if (!isDeleted) throw notFound('id', id)
    },
  }),
]
