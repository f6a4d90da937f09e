import {
  type ChangeKind,
  type ChangePayload,
  changeSubject,
  type FoundKind,
} from '../../../shared/domain/operations/change-events.ts'
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
  const received = await findReceivedKinds(tx, tenantId)
  // Boundary: the keys of the object are kinds.
  const kinds = (Object.keys(announced) as ChangeKind[]).filter((kind) => received.has(kind))
  await addSubjects(
    tx,
    tenantId,
    kinds.flatMap((kind) => subjectsOf(kind, announced, at)),
    at,
  )
}

/** An event that a job found. */
export type FoundEvent = { [Kind in FoundKind]: { kind: Kind; payload: ChangePayload<Kind>; at: Date } }[FoundKind]

/** Adds found events to the outbox. Those of kinds that no enabled webhook of the tenant receives are left out. */
export async function announceFound(tx: Writer, tenantId: string, found: FoundEvent[], at: Date): Promise<void> {
  const received = await findReceivedKinds(tx, tenantId)
  const subjects = found.filter(({ kind }) => received.has(kind))
  await addSubjects(
    tx,
    tenantId,
    subjects.map(({ kind, payload, at: eventAt }) => changeSubject(kind, payload, eventAt)),
    at,
  )
}

async function findReceivedKinds(tx: Writer, tenantId: string): Promise<Set<string>> {
  const webhooks = await findEnabledWebhooks(tx, tenantId)
  return new Set(webhooks.flatMap(({ events }) => events))
}

/** The id of the outbox row is the subject, so that an event that waits is not added again. */
async function addSubjects(tx: Writer, tenantId: string, subjects: string[], at: Date): Promise<void> {
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
