import { type Handlers, handlersFor, type WorkerDeps } from '../jobs/handlers.ts'
import { countExpiredOffers } from './count-expired-offers.ts'
import { findTimedEvents } from './find-timed-events.ts'
import { queueDueCertificates } from './queue-due-certificates.ts'
import { queueDueCheckpoints } from './queue-due-checkpoints.ts'
import { queueDueLists } from './queue-due-lists.ts'
import { queueDueTrustedLists } from './queue-due-trusted-lists.ts'
import { warnOfEndingLists } from './warn-of-ending-lists.ts'

export function publishingHandlers(deps: WorkerDeps): Handlers<'publishing'> {
  return handlersFor('publishing', {
    queueDueCertificates: () => queueDueCertificates(deps),
    queueDueCheckpoints: () => queueDueCheckpoints(deps),
    queueDueLists: () => queueDueLists(deps),
    countExpiredOffers: () => countExpiredOffers(deps),
    findTimedEvents: () => findTimedEvents(deps),
    warnOfEndingLists: () => warnOfEndingLists(deps),
    queueDueTrustedLists: () => queueDueTrustedLists(deps),
  })
}
