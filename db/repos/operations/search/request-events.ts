import type { AnalyticsEvent } from '../../../../shared/domain/operations/events.ts'
import type { Writer } from '../../../client.ts'
import { dialect } from '../../../columns.ts'
import { preparedInsertWhere } from '../../../engine/prepared.ts'
import { events } from '../../../tables/operations/events.ts'
import { findExistingTenants } from '../../tenancy/tenants.ts'
import { eventRowOf, insertEvents } from './events.ts'

const insertRowsOfTenants = preparedInsertWhere(
  'insert_request_events',
  events,
  `exists (select from "tenants" where "tenants"."id" = "given"."tenant_id" and "tenants"."state" <> 'deleting')`,
)

/**
 * Inserts a batch as `insertEvents`, without the events of tenants that do not exist or are being deleted. No job would remove these
 * events. On PostgreSQL it is one statement, so that it can be part of `txAtOnce`.
 */
export async function insertRequestEvents(tx: Writer, batch: AnalyticsEvent[]): Promise<void> {
  if (dialect === 'postgres') return insertRowsOfTenants(tx, batch.map(eventRowOf))
  const existing = await findExistingTenants(tx, [...new Set(batch.map(({ tenantId }) => tenantId))])
  await insertEvents(
    tx,
    batch.filter(({ tenantId }) => existing.has(tenantId)),
  )
}
