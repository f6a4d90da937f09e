import { z } from 'zod'
import type { Reader } from '../../../db/client.ts'
import { findLastStatusChange } from '../../../db/repos/operations/audit/audit-objects.ts'
import { described, named, shownIdOf, Timestamp, withoutExample } from '../../http/fields.ts'

const LastStatusChange = named(
  'LastStatusChange',
  'When the status of a credential changed last, and who changed it: a client or a person',
  z.object({
    at: Timestamp.describe('When the status was changed'),
    requestId: shownIdOf('request').describe(
      'The request of the change, which `GET /v1/events` finds with `requestIds`',
    ),
    clientId: shownIdOf('client').optional().describe('The id of the management client'),
    managementUserId: z.string().optional().describe('The id of the person who was signed in to the console'),
    name: described(z.string(), 'The name of the client or person at that time', 'Registry').optional(),
  }),
)

/** The last change in an answer about one credential. */
export const lastChangeField = {
  lastChange: withoutExample(LastStatusChange)
    .optional()
    .describe('The last change of the status. Absent: the status was not changed, or before version 0.1'),
}

/** Returns the member of `lastChangeField`. */
export async function lastChangeOf(
  db: Reader,
  tenantId: string,
  credentialId: string,
): Promise<{ lastChange?: z.input<typeof LastStatusChange> }> {
  const change = await findLastStatusChange(db, tenantId, credentialId)
  if (!change) return {}
  const { at, requestId, clientId, managementUserId, name } = change
  return {
    lastChange: {
      ...{ at: at.toISOString(), requestId },
      ...(clientId === null ? {} : { clientId }),
      ...(managementUserId === null ? {} : { managementUserId }),
      ...(name === null ? {} : { name }),
    },
  }
}
