import { and, asc, count, eq, type SQL, type SQLWrapper } from 'drizzle-orm'
import { plusMs } from '../../../shared/clock.ts'
import type { EncryptedMessage } from '../../../shared/domain/messaging/messages.ts'
import { newId, newOrderedId } from '../../../shared/ids.ts'
import type { LineRef } from '../../../shared/jobs/payloads.ts'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { param, prepared } from '../../engine/prepared.ts'
import { hold } from '../../hold.ts'
import { addToOutbox } from '../../outbox.ts'
import { outgoingLines } from '../../tables/messaging/outgoing-lines.ts'
import { type MessageAttempt, type OutgoingState, outgoingMessages } from '../../tables/messaging/outgoing-messages.ts'

export type LineRow = typeof outgoingLines.$inferSelect
export type OutgoingMessageRow = typeof outgoingMessages.$inferSelect
export type WaitingMessage = OutgoingMessageRow & { message: EncryptedMessage }

/** How long a queued line is left to its job; one that has not come by then was lost, or waits behind very many. */
export const messageQueuedForMs = 60_000

/** The line of a tenant to a recipient, held; undefined when nothing was ever sent there, or not for days. */
export async function holdLineTo(tx: Writer, tenantId: string, recipient: string): Promise<LineRow | undefined> {
  const [known] = await tx
    .select({ id: outgoingLines.id })
    .from(outgoingLines)
    .where(and(eq(outgoingLines.tenantId, tenantId), eq(outgoingLines.recipient, recipient)))
  return known && hold(tx, outgoingLines, tenantId, known.id)
}

/** The same, made when it is not there. */
export async function holdOrMakeLine(tx: Writer, tenantId: string, recipient: string, at: Date): Promise<LineRow> {
  const line = { id: newId(), tenantId, recipient, lastMessageAt: plusMs(at, -1), idleSince: at, createdAt: at }
  for (;;) {
    // Of two that make it at once, the second waits for the first, and finds its line.
    await tx.insert(outgoingLines).values(line).onConflictDoNothing()
    const held = await holdLineTo(tx, tenantId, recipient)
    // An old one may have been purged in this moment.
    if (held) return held
  }
}

/** How many messages of a tenant wait, counted up to `most`. */
export async function countWaitingOf(db: Reader, tenantId: string, most: number): Promise<number> {
  return countUpTo(db, most, and(eq(outgoingMessages.tenantId, tenantId), eq(outgoingMessages.state, 'pending')))
}

/** The same of one line. */
export async function countWaitingIn(db: Reader, tenantId: string, lineId: string, most: number): Promise<number> {
  return countUpTo(db, most, pendingIn(tenantId, lineId))
}

async function countUpTo(db: Reader, most: number, which: SQL | undefined): Promise<number> {
  const rows = db.select({ id: outgoingMessages.id }).from(outgoingMessages).where(which).limit(most).as('waiting')
  const [row] = await db.select({ count: count() }).from(rows)
  return row?.count ?? 0
}

function pendingIn(tenantId: SQLWrapper | string, lineId: SQLWrapper | string): SQL | undefined {
  const { tenantId: tenant, lineId: line, state } = outgoingMessages
  return and(inRow(tenant, tenantId), eq(line, lineId), eq(state, 'pending'))
}

/** Adds a message to the end of a line that is held. A line without any before is queued. */
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

export async function findLine(db: Reader, tenantId: string, id: string): Promise<LineRow | undefined> {
  const [row] = await db
    .select()
    .from(outgoingLines)
    .where(and(inRow(outgoingLines.tenantId, tenantId), eq(outgoingLines.id, id)))
  return row
}

const firstOf = prepared('first_of_line', (db) =>
  db
    .select()
    .from(outgoingMessages)
    .where(pendingIn(param('tenantId'), param('lineId')))
    .orderBy(asc(outgoingMessages.createdAt))
    .limit(1),
)

/** The message of a line that is next; undefined when none waits. */
export async function findFirstOf(db: Reader, tenantId: string, lineId: string): Promise<WaitingMessage | undefined> {
  const [row] = await firstOf(db, { tenantId, lineId })
  // One that waits has its content.
  return row?.message ? { ...row, message: row.message } : undefined
}

/** Writes what came of an attempt. False when it was written before, by another run. */
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
        // That it was delivered is true whatever another run saw.
        state === 'delivered' ? undefined : eq(outgoingMessages.attemptsMade, attemptsMade),
      ),
    )
    .returning({ id: outgoingMessages.id })
  return rows.length === 1
}

/** Lets a line wait until a time; one that is not the job's any more stays as it is. */
export async function returnLine(
  tx: Writer,
  { tenantId, lineId, queuedUntil }: LineRef,
  nextAttemptAt: Date,
): Promise<void> {
  const isOfJob = eq(outgoingLines.queuedUntil, new Date(queuedUntil))
  await changeLine(tx, { tenantId, lineId }, { nextAttemptAt, queuedUntil: null }, isOfJob)
}

/** Ends a line of which nothing waits; one that is not the job's any more stays as it is. True when something came meanwhile. */
export async function endLine(tx: Writer, { tenantId, lineId, queuedUntil }: LineRef, at: Date): Promise<boolean> {
  // Held: whoever adds a message holds it too.
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
