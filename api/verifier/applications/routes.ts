import type { z } from 'zod'
import { hold } from '../../../db/hold.ts'
import {
  deleteVerifierApplication,
  findVerifierApplication,
  insertVerifierApplication,
  listVerifierApplications,
  updateVerifierApplication,
  type VerifierApplicationRow,
} from '../../../db/repos/verifier/applications.ts'
import { verifierApplications } from '../../../db/tables/verifier/applications.ts'
import { changedFieldNames } from '../../../shared/changed-fields.ts'
import { notFound, wrongField } from '../../../shared/errors/errors.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { enforceQuota } from '../../access/enforce-quota.ts'
import { auditedCrudOf } from '../../audit/audited-crud-of.ts'
import type { Versioned } from '../../http/collection.ts'
import { idOf } from '../../http/fields.ts'
import { operators } from '../../http/route.ts'
import { VerifierApplication, VerifierApplicationView } from './schemas.ts'

const applications: Versioned<VerifierApplicationRow> = {
  tag: 'Verifier',
  access: operators('admin', 'verifier'),
  path: '/v2/presentations/applications',
  id: 'id',
  idSchema: idOf('verifier application'),
  events: 'PRESENTATION_APPLICATION',
  view: VerifierApplicationView,
  hasVersions: true,
  present,
}

export const verifierApplicationRoutes = auditedCrudOf(applications, {
  name: 'VerifierApplication',
  create: {
    summary: 'Create an application: a website or an app that requests credentials',
    body: VerifierApplication,
    problems: ['conflict'],
    handle: ({ tenantId, body, deps, change }) => {
      const createdAt = deps.clock.now()
      const row = { id: newOrderedId(createdAt), tenantId, ...contentOf(body), createdAt }
      return change(async (tx, record) => {
        await enforceQuota(tx, tenantId, 'verifierApplications')
        await insertVerifierApplication(tx, row)
        record(tenantId, { id: row.id })
        return row
      })
    },
  },
  list: { summary: 'List the applications that request credentials', rows: listVerifierApplications },
  retrieve: { summary: 'Retrieve an application that requests credentials', find: findVerifierApplication },
  update: {
    summary: 'Update an application that requests credentials. Its type stays',
    body: VerifierApplication,
    handle: ({ tenantId, id, body, change, requireMatch }) =>
      change(async (tx, record) => {
        const before = await hold(tx, verifierApplications, tenantId, id)
        if (!before) throw notFound('id', id)
        await requireMatch(before)
        if (before.type !== body.type) throw wrongField('type', 'Cannot be changed', body.type)
        const after = await updateVerifierApplication(tx, tenantId, id, contentOf(body))
        if (!after) throw notFound('id', id)
        record(tenantId, { id, changed: changedFieldNames(present(before), present(after)) })
        return after
      }),
  },
  delete: {
    summary: 'Delete an application that requests credentials',
    remove: (tx, { tenantId, id }) => deleteVerifierApplication(tx, tenantId, id),
  },
})

function present({ id, type, name, settings }: VerifierApplicationRow) {
  return { id, type, name, ...settings }
}

function contentOf({
  type,
  name,
  ...settings
}: z.output<typeof VerifierApplication>): Pick<VerifierApplicationRow, 'type' | 'name' | 'settings'> {
  return { type, name, settings }
}
