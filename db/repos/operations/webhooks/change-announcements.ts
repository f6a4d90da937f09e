import {
  type ChangeKind,
  type ChangePayload,
  changeSubject,
  type FoundKind,
} from '../../../../shared/domain/operations/change-events.ts'
import { derivedId } from '../../../../shared/ids.ts'
import type { Writer } from '../../../client.ts'
import { addToOutbox } from '../../../outbox.ts'
import { chunksOf } from '../../chunks.ts'
import { findReceivedKinds } from './webhooks.ts'

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
export async function announceFound(tx: Writer, tenantId: string, foundEvents: FoundEvent[], at: Date): Promise<void> {
  const received = await findReceivedKinds(tx, tenantId)
  const subjects = foundEvents.filter(({ kind }) => received.has(kind))
  await addSubjects(
    tx,
    tenantId,
    subjects.map(({ kind, payload, at: eventAt }) => changeSubject(kind, payload, eventAt)),
    at,
  )
}

/** The events of a transaction that have an outbox row each. The relay combines these rows. */
const maxSingle = 10
/** The events of one outbox row. */
const portionSize = 500

/** The id of an outbox row is derived from its subjects, so that events that wait are not added again. */
async function addSubjects(tx: Writer, tenantId: string, subjects: string[], at: Date): Promise<void> {
  if (subjects.length <= maxSingle) {
    const entries = subjects.map((subjectId) => {
      return { id: subjectId, payload: { tenantId, kind: 'change' as const, subjectId } }
    })
    return addToOutbox(tx, 'fanOut', entries, at)
  }
  const portions = chunksOf(subjects, portionSize).map((some) => {
    const portionId = derivedId(...some)
    // The events of other tenants overtake a portion.
    return { id: portionId, payload: { tenantId, portionId, subjects: some }, priority: some.length }
  })
  await addToOutbox(tx, 'fanOutChanges', portions, at)
}

function subjectsOf<Kind extends ChangeKind>(kind: Kind, announced: Announced, at: Date): string[] {
  const payloads: ChangePayload<Kind>[] = announced[kind] ?? []
  return payloads.map((payload) => changeSubject(kind, payload, at))
}
