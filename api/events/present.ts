import type { EventRow } from '../../db/repos/events.ts'

export function presentEvent({ timestamp, clientId, managementUserId, ...event }: EventRow) {
  return {
    ...event,
    timestamp: timestamp.toISOString(),
    ...(clientId === null ? {} : { clientId }),
    ...(managementUserId === null ? {} : { managementUserId }),
    metadata: {},
  }
}
