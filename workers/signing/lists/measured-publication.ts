import type { Payload } from '../../../shared/jobs/registry.ts'
import { type PublicationOutcome, publicationDuration } from '../../metrics.ts'
import type { SigningDeps } from '../deps.ts'
import { publishList } from './publish-list.ts'

/** Publishes a list, and tells the metrics what came of it and how long it took. */
export async function publishMeasured(deps: SigningDeps, ref: Payload<'publishList'>): Promise<void> {
  const startedAt = performance.now()
  const tell = (outcome: PublicationOutcome) =>
    publicationDuration.observe({ outcome }, (performance.now() - startedAt) / 1000)
  try {
    tell(await publishList(deps, ref))
  } catch (error) {
    tell('failed')
    throw error
  }
}
