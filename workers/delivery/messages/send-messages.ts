import { returnLine } from '../../../db/repos/messaging/outgoing-messages.ts'
import { plusMs } from '../../../shared/clock.ts'
import { Problem } from '../../../shared/errors.ts'
import type { LineRef } from '../../../shared/jobs/payloads.ts'
import type { DeliveryDeps } from '../deps.ts'
import { Later } from '../later.ts'
import { sendLine } from './send-line.ts'

/** After trouble of our own that the handler knows nothing of. */
const troublePauseMs = 5_000

/** Sends what waits in many lines, at once. A line whose turn is not now waits in the database again. */
export async function sendMessages(deps: DeliveryDeps, items: LineRef[]): Promise<void> {
  const { db, clock, log } = deps
  await Promise.all(
    items.map((item) =>
      sendLine(deps, item).catch((error: unknown) => {
        // An outage is told of by the job, which ends in it as well.
        if (!(error instanceof Later || error instanceof Problem))
          log.error({ err: error }, 'a line of messages failed')
        const pauseMs = error instanceof Later ? error.delayMs : troublePauseMs
        return db.tx((tx) => returnLine(tx, item, plusMs(clock.now(), pauseMs)))
      }),
    ),
  )
}
