import type { z } from 'zod'
import type { Writer } from '../../../db/client.ts'
import { hold } from '../../../db/hold.ts'
import { findEcosystem } from '../../../db/repos/ecosystems/ecosystems.ts'
import {
  deleteVerifierTemplate,
  findVerifierTemplate,
  insertVerifierTemplate,
  listVerifierTemplates,
  updateVerifierTemplate,
  type VerifierTemplateContent,
  type VerifierTemplateRow,
} from '../../../db/repos/verifier/templates.ts'
import { verifierTemplates } from '../../../db/tables/verifier/templates.ts'
import { changedFieldNames } from '../../../shared/changed-fields.ts'
import { notFound } from '../../../shared/errors/errors.ts'
import { unknownReference } from '../../../shared/errors/unknown-reference.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { enforceQuota } from '../../access/enforce-quota.ts'
import { auditedCrudOf } from '../../audit/audited-crud-of.ts'
import type { Versioned } from '../../http/collection.ts'
import { operators } from '../../http/route.ts'
import { readQuery } from '../queries/read-query.ts'
import { presentVerifierTemplate } from './present.ts'
import { VerifierTemplate, VerifierTemplateView } from './schemas.ts'

const templates: Versioned<VerifierTemplateRow> = {
  tag: 'Verifier',
  access: operators('admin', 'verifier'),
  path: '/v2/presentations/templates',
  id: 'id',
  events: 'PRESENTATION_TEMPLATE',
  view: VerifierTemplateView,
  hasVersions: true,
  present: presentVerifierTemplate,
}

export const verifierTemplateRoutes = auditedCrudOf(templates, {
  name: 'VerifierTemplate',
  create: {
    summary: 'Create a template: a query for credentials, with the checks of the answer',
    body: VerifierTemplate,
    problems: ['conflict'],
    handle: ({ tenantId, body, deps, change }) => {
      const createdAt = deps.clock.now()
      const row = { id: newOrderedId(createdAt), tenantId, ...contentOf(body), createdAt }
      return change(async (tx, record) => {
        await enforceQuota(tx, tenantId, 'verifierTemplates')
        await requireEcosystem(tx, tenantId, row)
        await insertVerifierTemplate(tx, row)
        record(tenantId, { id: row.id })
        return row
      })
    },
  },
  list: { summary: 'List the templates of queries for credentials', rows: listVerifierTemplates },
  retrieve: { summary: 'Retrieve a template of a query for credentials', find: findVerifierTemplate },
  update: {
    summary: 'Update a template of a query for credentials',
    body: VerifierTemplate,
    handle: ({ tenantId, id, body, change, requireMatch }) =>
      change(async (tx, record) => {
        const before = await hold(tx, verifierTemplates, tenantId, id)
        if (!before) throw notFound('id', id)
        await requireMatch(before)
        const content = contentOf(body)
        await requireEcosystem(tx, tenantId, content)
        const after = await updateVerifierTemplate(tx, tenantId, id, content)
        if (!after) throw notFound('id', id)
        const changed = changedFieldNames(presentVerifierTemplate(before), presentVerifierTemplate(after))
        record(tenantId, { id, changed })
        return after
      }),
  },
  delete: {
    summary: 'Delete a template of a query for credentials',
    remove: (tx, { tenantId, id }) => deleteVerifierTemplate(tx, tenantId, id),
  },
})

function contentOf(body: z.output<typeof VerifierTemplate>): VerifierTemplateContent {
  const { name, purpose = null, dcqlQuery: _query, credentialQuery: _form, ...checks } = body
  return { name, purpose, query: readQuery(body), checks }
}

/** Does not lock the ecosystem: it can be deleted later. A template of a deleted ecosystem trusts no issuer. */
async function requireEcosystem(tx: Writer, tenantId: string, { checks: { trust } }: VerifierTemplateContent) {
  if (trust.issuers === 'all' || (await findEcosystem(tx, tenantId, trust.ecosystemId))) return
  throw unknownReference('trust.ecosystemId', trust.ecosystemId, 'GET /v1/ecosystems')
}
