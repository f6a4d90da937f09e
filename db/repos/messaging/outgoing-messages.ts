import { and, asc, count, eq, type SQL, type SQLWrapper } from 'drizzle-orm'
import { plusMs } from '../../../shared/clock.ts'
import type { EncryptedMessage } from '../../../shared/domain/messaging/messages.ts'
import { newId, newOrderedId } from '../../../shared/ids.ts'
import type { LineRef } from '../../../shared/jobs/payloads.ts'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { param, prepared } from '../../engine/prepared.ts'
import { findRow } from '../../find-row.ts'
import { hold } from '../../hold.ts'
import { addToOutbox } from '../../outbox.ts'
import { outgoingLines } from '../../tables/messaging/outgoing-lines.ts'
import { type MessageAttempt, type OutgoingState, outgoingMessages } from '../../tables/messaging/outgoing-messages.ts'

export type LineRow = typeof outgoingLines.$inferSelect
export type OutgoingMessageRow = typeof outgoingMessages.$inferSelect
export type WaitingMessage = OutgoingMessageRow & { message: EncryptedMessage }

/** The time that a job holds a queued line. A later job is lost, or waits behind many others. */
export const messageQueuedForMs = 60_000

/** Holds the line of a tenant to a recipient. Returns undefined if the line does not exist or was purged. */
export async function holdLineTo(tx: Writer, tenantId: string, recipient: string): Promise<LineRow | undefined> {
  const [line] = await tx
    .select({ id: outgoingLines.id })
    .from(outgoingLines)
    .where(and(eq(outgoingLines.tenantId, tenantId), eq(outgoingLines.recipient, recipient)))
  return line && hold(tx, outgoingLines, tenantId, line.id)
}

/** Holds the line of a tenant to a recipient, and creates it if necessary. */
export async function holdOrMakeLine(tx: Writer, tenantId: string, recipient: string, at: Date): Promise<LineRow> {
  const line = { id: newId(), tenantId, recipient, lastMessageAt: plusMs(at, -1), idleSince: at, createdAt: at }
  for (;;) {
    // If two transactions insert at the same time, the second waits and then finds the line of the first.
    await tx.insert(outgoingLines).values(line).onConflictDoNothing()
    const held = await holdLineTo(tx, tenantId, recipient)
    // An old line can be purged at this moment.
    if (held) return held
  }
}

/** Counts the waiting messages of a tenant up to `limit`. */
export async function countWaitingOf(db: Reader, tenantId: string, limit: number): Promise<number> {
  return countUpTo(db, limit, and(eq(outgoingMessages.tenantId, tenantId), eq(outgoingMessages.state, 'pending')))
}

/** Counts the waiting messages of a line up to `limit`. */
export async function countWaitingIn(db: Reader, tenantId: string, lineId: string, limit: number): Promise<number> {
  return countUpTo(db, limit, pendingIn(tenantId, lineId))
}

async function countUpTo(db: Reader, limit: number, which: SQL | undefined): Promise<number> {
  const rows = db.select({ id: outgoingMessages.id }).from(outgoingMessages).where(which).limit(limit).as('waiting')
  const [row] = await db.select({ count: count() }).from(rows)
  return row?.count ?? 0
}

function pendingIn(tenantId: SQLWrapper | string, lineId: SQLWrapper | string): SQL | undefined {
  const { tenantId: tenant, lineId: line, state } = outgoingMessages
  return and(inRow(tenant, tenantId), eq(line, lineId), eq(state, 'pending'))
}

/** Appends a message to a held line. Queues the line if no message waited. */
export async function addToLine(
  tx: Writer,
  { tenantId, id: lineId, lastMessageAt, nextAttemptAt }: LineRow,
  { message, requestId, priority, at }: { message: EncryptedMessage; requestId: string; priority: number; at: Date },
): Promise<void> {
  const createdAt = lastMessageAt >= at ? plusMs(lastMessageAt, 1) : at
  await tx.insert(outgoingMessages).values({
    ...{ id: newOrderedId(createdAt), tenantId, lineId, requestId, message },
    ...{ state: 'pending', attemptsMade: 0, lastAttempt: null, createdAt, endedAt: null },
  })
  const isFirst = nextAttemptAt === null
  const queuedUntil = plusMs(at, messageQueuedForMs)
  await changeLine(
    tx,
    { tenantId, lineId },
    {
      lastMessageAt: createdAt,
      idleSince: null,
      ...(isFirst && { nextAttemptAt: at, queuedUntil }),
    },
  )
  if (!isFirst) return
  const payload = { tenantId, lineId, queuedUntil: queuedUntil.getTime() }
  await addToOutbox(tx, 'sendMessages', [{ id: `${lineId}-${payload.queuedUntil}`, payload, priority }], at)
}

export function findLine(db: Reader, tenantId: string, id: string): Promise<LineRow | undefined> {
  return findRow(db, outgoingLines, tenantId, id)
}

const firstOf = prepared('first_of_line', (db) =>
  db
    .select()
    .from(outgoingMessages)
    .where(pendingIn(param('tenantId'), param('lineId')))
    .orderBy(asc(outgoingMessages.createdAt))
    .limit(1),
)

/** Returns the next message of a line, or undefined if none waits. */
export async function findFirstOf(db: Reader, tenantId: string, lineId: string): Promise<WaitingMessage | undefined> {
  const [row] = await firstOf(db, { tenantId, lineId })
  // A waiting message has its content.
  return row?.message ? { ...row, message: row.message } : undefined
}

/** Records the result of an attempt. Returns false if another run recorded it. */
export async function recordSend(
  tx: Writer,
  { tenantId, id, attemptsMade }: Pick<OutgoingMessageRow, 'tenantId' | 'id' | 'attemptsMade'>,
  { attempt, state }: { attempt: MessageAttempt; state: OutgoingState },
  at: Date,
): Promise<boolean> {
  const ended = state === 'pending' ? {} : { message: null, endedAt: at }
  const rows = await tx
    .update(outgoingMessages)
    .set({ state, attemptsMade: attemptsMade + 1, lastAttempt: attempt, ...ended })
    .where(
      and(
        inRow(outgoingMessages.tenantId, tenantId),
        eq(outgoingMessages.id, id),
        eq(outgoingMessages.state, 'pending'),
        // A delivery is recorded even if another run recorded a failure.
        state === 'delivered' ? undefined : eq(outgoingMessages.attemptsMade, attemptsMade),
      ),
    )
    .returning({ id: outgoingMessages.id })
  return rows.length === 1
}

/** Releases a line until its next attempt. A line that the job no longer holds does not change. */
export async function returnLine(
  tx: Writer,
  { tenantId, lineId, queuedUntil }: LineRef,
  nextAttemptAt: Date,
): Promise<void> {
  const isOfJob = eq(outgoingLines.queuedUntil, new Date(queuedUntil))
  await changeLine(tx, { tenantId, lineId }, { nextAttemptAt, queuedUntil: null }, isOfJob)
}

/**
 * Ends a line without waiting messages. A line that the job no longer holds does not change. Returns true if a message
 * arrived in the meantime.
 */
export async function endLine(tx: Writer, { tenantId, lineId, queuedUntil }: LineRef, at: Date): Promise<boolean> {
  // The hold also waits for transactions that append a message.
  const line = await hold(tx, outgoingLines, tenantId, lineId)
  if (line?.queuedUntil?.getTime() !== queuedUntil) return false
  if (await findFirstOf(tx, tenantId, lineId)) return true
  await changeLine(tx, { tenantId, lineId }, { nextAttemptAt: null, queuedUntil: null, idleSince: at })
  return false
}

async function changeLine(
  tx: Writer,
  { tenantId, lineId }: Pick<LineRef, 'tenantId' | 'lineId'>,
  changes: Partial<LineRow>,
  condition?: SQL,
): Promise<void> {
  await tx
    .update(outgoingLines)
    .set(changes)
    .where(and(inRow(outgoingLines.tenantId, tenantId), eq(outgoingLines.id, lineId), condition))
}
