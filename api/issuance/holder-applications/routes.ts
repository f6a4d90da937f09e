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
import { auditedCrudOf } from '../../audit/audited-crud-of.ts'
import type { Versioned } from '../../http/collection.ts'
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
  ...auditedCrudOf(applications, {
    name: 'HolderApplication',
    create: {
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
    },
    list: { summary: 'List the apps of holders', rows: listHolderApplications },
    retrieve: { summary: 'Retrieve an app of holders', find: findHolderApplication },
    update: {
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
    },
    delete: {
      summary: 'Delete an app of holders with its instances',
      remove: (tx, { tenantId, id, deps }) => deleteHolderApplication(tx, tenantId, id, deps.clock.now()),
      removed: ({ deps }) => deps.bus.poke(),
    },
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
