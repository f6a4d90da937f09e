import {
  endLine,
  findFirstOf,
  findLine,
  type LineRow,
  recordSend,
  returnLine,
  type WaitingMessage,
} from '../../../db/repos/messaging/outgoing-messages.ts'
import { insertEvents } from '../../../db/repos/operations/events.ts'
import { plusMs } from '../../../shared/clock.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import type { LineRef } from '../../../shared/jobs/payloads.ts'
import { messageAttempts, messagesEnded, outcomeOf } from '../../metrics.ts'
import type { DeliveryDeps } from '../deps.ts'
import type { Turn } from '../gate.ts'
import { Later } from '../later.ts'
import { isDelivered, judge } from '../schedule.ts'
import { attemptMessage, receiverOf, type SendAnswer } from './attempt-message.ts'
import { putHere } from './put-here.ts'

/** A line with very many messages gives its turn to others in between. */
const turnMs = 5_000
/** One that is older is given up when an attempt fails: behind a message that took the whole schedule, all others are. */
const givenUpAfterMs = 24 * 3_600_000

/**
 * Sends the messages of a line, one after the other, as long as each is delivered or given up: nobody else sends any of them
 * meanwhile. Does nothing for a line that is not this job's any more; throws `Later` when it has to wait.
 */
export async function sendLine(deps: DeliveryDeps, ref: LineRef): Promise<void> {
  const line = await findLine(deps.db.read, ref.tenantId, ref.lineId)
  if (!isOf(ref, line)) return
  const turn = await deps.gate.enter(ref.tenantId, receiverOf(line))
  try {
    await sendAll(deps, turn, ref, line)
  } finally {
    turn.end()
  }
}

function isOf({ queuedUntil }: LineRef, line: LineRow | undefined): line is LineRow {
  return line?.queuedUntil?.getTime() === queuedUntil
}

async function sendAll(deps: DeliveryDeps, turn: Turn, ref: LineRef, line: LineRow): Promise<void> {
  const { db, clock } = deps
  const until = performance.now() + turnMs
  for (;;) {
    // Too late: the line may be freed at any moment, and given to another job while an attempt is under way.
    if (clock.now().getTime() >= ref.queuedUntil || performance.now() > until) throw new Later(0)
    const message = await findFirstOf(db.read, ref.tenantId, ref.lineId)
    if (!message) {
      if (await db.tx((tx) => endLine(tx, ref, clock.now()))) continue
      return
    }
    const at = clock.now().toISOString()
    const answer = (await putHere(deps, line, message)) ?? (await attemptMessage(deps, turn, line, message))
    const isOver = await record(deps, ref, line, message, { at, answer })
    if (!isOver) return
  }
}

interface Made {
  at: string
  answer: SendAnswer
}

/** Whether the message has ended, so that the next one may go. */
async function record(
  { db, clock, log, retryPausesMs }: DeliveryDeps,
  ref: LineRef,
  { recipient }: LineRow,
  message: WaitingMessage,
  { at: begunAt, answer: { retryAfter, timedOut = false, ...answer } }: Made,
): Promise<boolean> {
  const { id, tenantId, requestId, createdAt } = message
  const at = clock.now()
  const attempts = message.attemptsMade + 1
  const attempt = { at: begunAt, ...answer }
  const next = judge({ status: answer.status, retryAfter, timedOut }, attempts, at, retryPausesMs)
  const isLate = next.state === 'pending' && plusMs(createdAt, givenUpAfterMs) <= at
  const state = isLate ? 'failed' : next.state
  const isGivenUp = await db.tx(async (tx) => {
    // The line before its messages, as hold.ts has the order.
    if (state === 'pending') await returnLine(tx, ref, next.nextAttemptAt ?? at)
    const isRecorded = await recordSend(tx, message, { attempt, state }, at)
    if (!isRecorded || state !== 'failed') return false
    const data = { id, to: recipient, attempts, lastAttempt: attempt }
    const event = { id: newOrderedId(at), tenantId, type: 'MESSAGING_SEND_GIVEN_UP', category: 'MESSAGING' }
    await insertEvents(tx, [{ ...event, timestamp: at.toISOString(), requestId, data }])
    return true
  })
  messageAttempts.inc({ outcome: outcomeOf(answer.status, isDelivered(answer.status)) })
  if (state !== 'pending') messagesEnded.inc({ outcome: state })
  if (isGivenUp) log.warn({ tenantId, messageId: id, requestId, attempts }, 'a message was given up')
  return state !== 'pending'
}
