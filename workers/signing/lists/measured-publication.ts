import type { Payload } from '../../../shared/jobs/registry.ts'
import { type PublicationOutcome, publicationDuration } from '../../jobs/metrics.ts'
import type { SigningDeps } from '../deps.ts'
import { publishList } from './publish-list.ts'

/** Publishes a list and observes outcome and duration in the metrics. */
export async function publishMeasured(deps: SigningDeps, ref: Payload<'publishList'>): Promise<void> {
  const startedAt = performance.now()
  const observe = (outcome: PublicationOutcome) =>
    publicationDuration.observe({ outcome }, (performance.now() - startedAt) / 1000)
  try {
    observe(await publishList(deps, ref))
  } catch (error) {
    observe('failed')
    throw error
  }
}
