import { findIssuance } from '../../../db/repos/issuance/issuances.ts'
import { insertNotification } from '../../../db/repos/issuance/notifications.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import type { Holder, Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { isOfHolder, issuanceIdOf } from './handles.ts'
import type { NotificationRequest } from './schemas.ts'

/**
 * Stores a notification of a wallet about its credentials (OpenID4VCI 1.0, section 11). A repeated notification is
 * accepted.
 */
export async function receiveNotification(
  deps: Deps,
  tenant: Tenant,
  holder: Holder,
  { notification_id: handle, event, event_description: description }: NotificationRequest,
): Promise<void> {
  const issuanceId = issuanceIdOf(deps, tenant, 'notification_id', handle)
  const issuance = issuanceId === undefined ? undefined : await findIssuance(deps.db.read, tenant.id, issuanceId)
  if (!issuance || !isOfHolder(issuance, holder)) throw new Problem('invalid_notification_id')
  const row = {
    tenantId: tenant.id,
    issuanceId: issuance.id,
    event,
    description: description ?? null,
    receivedAt: deps.clock.now(),
  }
  await deps.db.tx((tx) => insertNotification(tx, row))
}
