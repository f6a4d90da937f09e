import { returnLine } from '../../../db/repos/messaging/outgoing-messages.ts'
import { plusMs } from '../../../shared/clock.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import type { LineRef } from '../../../shared/jobs/payloads.ts'
import { AttemptPostponed } from '../attempt-postponed.ts'
import type { DeliveryDeps } from '../deps.ts'
import { sendLine } from './send-line.ts'

/** The pause after an unexpected error. */
const errorPauseMs = 5_000

/** Sends the messages of several lines concurrently. A line that is postponed or fails waits in the database again. */
export async function sendMessages(deps: DeliveryDeps, items: LineRef[]): Promise<void> {
  const { db, clock, log } = deps
  await Promise.all(
    items.map((item) =>
      sendLine(deps, item).catch((error: unknown) => {
        // The job itself logs an outage.
        if (!(error instanceof AttemptPostponed || error instanceof Problem))
          log.error({ err: error }, 'message line failed')
        const pauseMs = error instanceof AttemptPostponed ? error.delayMs : errorPauseMs
        return db.tx((tx) => returnLine(tx, item, plusMs(clock.now(), pauseMs)))
      }),
    ),
  )
}
