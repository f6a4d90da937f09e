import { isLost } from '../../../db/repos/late-jobs.ts'
import {
  endLine,
  findFirstOf,
  findLine,
  type LineRow,
  messageQueuedForMs,
  recordSend,
  returnLine,
  type WaitingMessage,
} from '../../../db/repos/messaging/outgoing-messages.ts'
import { insertEvents } from '../../../db/repos/operations/search/events.ts'
import { plusMs } from '../../../shared/clock.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import type { LineRef } from '../../../shared/jobs/payloads.ts'
import { messageAttempts, messagesEnded, outcomeOf } from '../../jobs/metrics.ts'
import type { AttemptSlot } from '../attempt-limiter.ts'
import { AttemptPostponed } from '../attempt-postponed.ts'
import type { DeliveryDeps } from '../deps.ts'
import { isDelivered, nextState } from '../schedule.ts'
import { attemptMessage, receiverOf, type SendAnswer } from './attempt-message.ts'
import { deliverLocally } from './deliver-locally.ts'

/** After this time the line waits again, so that other lines are processed. */
const maxLineMs = 5_000
/** A message that is older fails with its next failed attempt. Messages behind a failing message would otherwise wait for days each. */
const maxAgeMs = 24 * 3_600_000

/**
 * Sends the messages of a line in their order until one has to wait. No other job sends messages of this line at the same time. Does nothing
 * if the line no longer belongs to this job. Throws `AttemptPostponed` if the line has to wait.
 */
export async function sendLine(deps: DeliveryDeps, ref: LineRef): Promise<void> {
  const line = await findLine(deps.db.read, ref.tenantId, ref.lineId)
  if (!belongsToJob(ref, line)) return
  const slot = await deps.attemptLimiter.acquire(ref.tenantId, receiverOf(line))
  try {
    await sendAll(deps, slot, ref, line)
  } finally {
    slot.release()
  }
}

function belongsToJob({ queuedUntil }: LineRef, line: LineRow | undefined): line is LineRow {
  return line?.queuedUntil?.getTime() === queuedUntil
}

async function sendAll(deps: DeliveryDeps, slot: AttemptSlot, ref: LineRef, line: LineRow): Promise<void> {
  const { db, bus, clock } = deps
  const until = performance.now() + maxLineMs
  for (;;) {
    // A line after `queuedUntil`, or whose job was lost, can be given to another job while an attempt runs.
    const isLostJob = isLost(ref.queuedUntil, await bus.emptiedAt(clock), messageQueuedForMs)
    if (isLostJob || clock.now().getTime() >= ref.queuedUntil || performance.now() > until)
      throw new AttemptPostponed(0)
    const message = await findFirstOf(db.read, ref.tenantId, ref.lineId)
    if (!message) {
      if (await db.tx((tx) => endLine(tx, ref, clock.now()))) continue
      return
    }
    const at = clock.now().toISOString()
    const answer = (await deliverLocally(deps, line, message)) ?? (await attemptMessage(deps, slot, line, message))
    const hasEnded = await record(deps, ref, line, message, { at, answer })
    if (!hasEnded) return
  }
}

interface SendAttempt {
  at: string
  answer: SendAnswer
}

/** Records an attempt. Returns whether the message has ended, so that the next message can be sent. */
async function record(
  { db, clock, log, retryPausesMs }: DeliveryDeps,
  ref: LineRef,
  { recipient }: LineRow,
  message: WaitingMessage,
  { at: startedAt, answer: { retryAfter, timedOut = false, ...answer } }: SendAttempt,
): Promise<boolean> {
  const { id, tenantId, requestId, createdAt } = message
  const at = clock.now()
  const attempts = message.attemptsMade + 1
  const attempt = { at: startedAt, ...answer }
  const next = nextState({ status: answer.status, retryAfter, timedOut }, attempts, at, retryPausesMs)
  const isTooOld = next.state === 'pending' && plusMs(createdAt, maxAgeMs) <= at
  const state = isTooOld ? 'failed' : next.state
  const hasFailed = await db.tx(async (tx) => {
    // The lock order of hold.ts: the line before its messages.
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
  if (hasFailed) log.warn({ tenantId, messageId: id, requestId, attempts }, 'message failed after its last attempt')
  return state !== 'pending'
}
