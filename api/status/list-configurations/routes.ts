import { hold } from '../../../db/hold.ts'
import {
  deleteListConfiguration,
  findListConfiguration,
  insertListConfiguration,
  type ListConfigurationRow,
  listListConfigurations,
  updateListConfiguration,
} from '../../../db/repos/status/list-configurations.ts'
import { statusListConfigurations } from '../../../db/tables/status/list-configurations.ts'
import { tokenListsPath } from '../../../shared/domain/status/status-lists.ts'
import { notFound, Problem } from '../../../shared/errors/errors.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { enforceQuota } from '../../access/enforce-quota.ts'
import { createAudited, removeAudited, replaceAudited } from '../../audit/audited-crud.ts'
import type { Collection, Versioned } from '../../http/collection.ts'
import { listOf, retrieve } from '../../http/crud.ts'
import { operators } from '../../http/route.ts'
import { defaultConfiguration, defaultConfigurationId, type ShownConfiguration } from './default.ts'
import {
  ListConfigurationChanges,
  ListConfigurationView,
  NewListConfiguration,
  ShownListConfigurationView,
} from './schemas.ts'

const configurations: Versioned<ListConfigurationRow> = {
  tag: 'Mobile',
  access: operators('admin', 'issuer', 'managed-issuer'),
  path: `${tokenListsPath('mobile')}/configurations`,
  id: 'id',
  events: 'MOBILE_CREDENTIAL_STATUS_LIST_CONFIGURATION',
  view: ListConfigurationView,
  hasVersions: true,
  present,
}

function present({ id, docType, ttlDays, expiryDays }: ShownConfiguration) {
  return {
    id,
    ...(docType !== null && { docType }),
    timeToLiveDuration: { days: ttlDays },
    expiryDuration: { days: expiryDays },
  }
}

const collection: Collection<ShownConfiguration> = { ...configurations, view: ShownListConfigurationView, present }

export const listConfigurationRoutes = [
  createAudited(configurations, {
    operation: 'createStatusListConfiguration',
    summary: 'Set the lifetime of the token status lists of a document type',
    body: NewListConfiguration,
    unique: ['docType'],
    problems: ['conflict'],
    handle: ({ tenantId, body: { docType, timeToLiveDuration, expiryDuration }, deps, change }) =>
      change(async (tx, record) => {
        await enforceQuota(tx, tenantId, 'statusListConfigurations')
        const lifetime = { ttlDays: timeToLiveDuration.days, expiryDays: expiryDuration.days }
        const createdAt = deps.clock.now()
        const row = { id: newOrderedId(createdAt), tenantId, docType, ...lifetime, createdAt }
        if (!(await insertListConfiguration(tx, row))) {
          throw new Problem('conflict', { message: 'This document type has a configuration already' })
        }
        record(tenantId, { id: row.id, docType })
        return row
      }),
  }),
  listOf(configurations, {
    operation: 'retrieveStatusListConfigurations',
    summary: 'List the configurations of token status lists',
    rows: ({ tenantId, query, deps }) => listListConfigurations(deps.db.read, tenantId, query),
  }),
  retrieve(collection, {
    operation: 'retrieveStatusListConfiguration',
    summary: 'Retrieve a configuration of token status lists, also the default configuration',
    find: async ({ tenantId, id, deps }) =>
      id === defaultConfigurationId(tenantId)
        ? defaultConfiguration(tenantId)
        : findListConfiguration(deps.db.read, tenantId, id),
  }),
  replaceAudited(configurations, {
    operation: 'updateStatusListConfiguration',
    summary: 'Change how long the token status lists of a document type live, from when they are next published',
    body: ListConfigurationChanges,
    handle: ({ tenantId, id, body: { timeToLiveDuration, expiryDuration }, change, requireMatch }) =>
      change(async (tx, record) => {
        const lifetime = { ttlDays: timeToLiveDuration.days, expiryDays: expiryDuration.days }
        const before = await hold(tx, statusListConfigurations, tenantId, id)
        if (before) await requireMatch(before)
        const row = await updateListConfiguration(tx, tenantId, id, lifetime)
        if (!row) throw notFound('id', id)
        record(tenantId, { id, ...lifetime })
        return row
      }),
  }),
  removeAudited(configurations, {
    operation: 'deleteStatusListConfiguration',
    summary: 'Remove a configuration of token status lists: its lists go on, and live as long as those without one',
    remove: (tx, { tenantId, id }) => deleteListConfiguration(tx, tenantId, id),
  }),
]
