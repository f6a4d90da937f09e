import type { z } from 'zod'
import { hold } from '../../../db/hold.ts'
import {
  deleteHolderApplication,
  findHolderApplication,
  type HolderApplicationRow,
  insertHolderApplication,
  listHolderApplications,
  updateHolderApplication,
} from '../../../db/repos/issuance/holder-applications.ts'
import { holderApplications } from '../../../db/tables/issuance/holder-applications.ts'
import { changedFieldNames } from '../../../shared/changed-fields.ts'
import { notFound, wrongField } from '../../../shared/errors/errors.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { enforceQuota } from '../../access/enforce-quota.ts'
import { createAudited, removeAudited, replaceAudited } from '../../audit/audited-crud.ts'
import type { Versioned } from '../../http/collection.ts'
import { listOf, retrieve } from '../../http/crud.ts'
import { idOf } from '../../http/fields.ts'
import { operators } from '../../http/route.ts'
import { instanceRoutes } from './instance-routes.ts'
import { presentApplication } from './present.ts'
import { HolderApplication, HolderApplicationView } from './schemas.ts'

const applications: Versioned<HolderApplicationRow> = {
  tag: 'Holder applications',
  access: operators('admin', 'holder'),
  path: '/v1/holder/applications',
  id: 'applicationId',
  idSchema: idOf('holder application'),
  events: 'CREDENTIAL_HOLDER_APPLICATION',
  view: HolderApplicationView,
  hasVersions: true,
  present: presentApplication,
}

export const holderApplicationRoutes = [
  createAudited(applications, {
    operation: 'createHolderApplication',
    summary: 'Create an app of holders, whose instances may register',
    body: HolderApplication,
    problems: ['conflict'],
    async handle({ tenantId, body, deps, change }) {
      const createdAt = deps.clock.now()
      const row = { id: newOrderedId(createdAt), tenantId, ...contentOf(body), instanceCount: 0, createdAt }
      return change(async (tx, record) => {
        await enforceQuota(tx, tenantId, 'holderApplications')
        await insertHolderApplication(tx, row)
        record(tenantId, { id: row.id })
        return row
      })
    },
  }),
  listOf(applications, {
    operation: 'retrieveHolderApplications',
    summary: 'List the apps of holders',
    rows: ({ tenantId, query, deps }) => listHolderApplications(deps.db.read, tenantId, query.limit, query.cursor),
  }),
  retrieve(applications, {
    operation: 'retrieveHolderApplication',
    summary: 'Retrieve an app of holders',
    find: ({ tenantId, id, deps }) => findHolderApplication(deps.db.read, tenantId, id),
  }),
  replaceAudited(applications, {
    operation: 'updateHolderApplication',
    summary: 'Update an app of holders. Its registered instances stay',
    body: HolderApplication,
    handle: ({ tenantId, id, body, change, requireMatch }) =>
      change(async (tx, record) => {
        const before = await hold(tx, holderApplications, tenantId, id)
        if (!before) throw notFound('applicationId', id)
        await requireMatch(before)
        if (before.type !== body.type) throw wrongField('type', 'Cannot be changed', body.type)
        const after = await updateHolderApplication(tx, tenantId, id, contentOf(body))
        if (!after) throw notFound('applicationId', id)
        record(tenantId, { id, changed: changedFieldNames(presentApplication(before), presentApplication(after)) })
        return after
      }),
  }),
  removeAudited(applications, {
    operation: 'deleteHolderApplication',
    summary: 'Delete an app of holders with its instances',
    remove: (tx, { tenantId, id, deps }) => deleteHolderApplication(tx, tenantId, id, deps.clock.now()),
    removed: ({ deps }) => deps.bus.poke(),
  }),
  ...instanceRoutes,
]

function contentOf({
  type,
  name,
  ...settings
}: z.output<typeof HolderApplication>): Pick<HolderApplicationRow, 'type' | 'name' | 'settings'> {
  return { type, name, settings }
}
