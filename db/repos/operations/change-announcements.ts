import { type ChangeKind, type ChangePayload, changeSubject } from '../../../shared/domain/operations/change-events.ts'
import type { Writer } from '../../client.ts'
import { addToOutbox } from '../../outbox.ts'
import { findEnabledWebhooks } from './webhooks.ts'

/** The payloads of the events of a transaction, by kind. */
export type Announced = { [Kind in ChangeKind]?: ChangePayload<Kind>[] }

/**
 * Adds the events of changes to the outbox, in the transaction of the changes. Adds nothing if no enabled webhook of the tenant receives
 * their kind.
 */
export async function announceChanges(tx: Writer, tenantId: string, announced: Announced, at: Date): Promise<void> {
  const webhooks = await findEnabledWebhooks(tx, tenantId)
  const received = new Set<string>(webhooks.flatMap(({ events }) => events))
  // Boundary: the keys of the object are kinds.
  const kinds = (Object.keys(announced) as ChangeKind[]).filter((kind) => received.has(kind))
  const subjects = kinds.flatMap((kind) => subjectsOf(kind, announced, at))
  await addToOutbox(
    tx,
    'fanOut',
    subjects.map((subjectId) => ({ id: subjectId, payload: { tenantId, kind: 'change', subjectId } })),
    at,
  )
}

function subjectsOf<Kind extends ChangeKind>(kind: Kind, announced: Announced, at: Date): string[] {
  const payloads: ChangePayload<Kind>[] = announced[kind] ?? []
  return payloads.map((payload) => changeSubject(kind, payload, at))
}
