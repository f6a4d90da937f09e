import { deleteConfiguration, isOffered } from '../../db/repos/configurations.ts'
import type { CredentialProfile } from '../../db/tables/configurations.ts'
import { notFound, Problem } from '../../shared/errors.ts'
import type { Deps } from '../deps.ts'
import { forgetConfiguration } from './recent.ts'

/** Deletes a configuration that no usable offer names. */
export async function removeConfiguration(
  deps: Deps,
  tenantId: string,
  profile: CredentialProfile,
  id: string,
): Promise<void> {
  await deps.db.tx(async (tx) => {
    // Deleted first: its row is locked then, and what offers were committed in the meantime is seen by the question.
    if (!(await deleteConfiguration(tx, tenantId, id, profile))) throw notFound('id', id)
    if (await isOffered(tx, tenantId, id, deps.clock.now())) {
      throw new Problem('conflict', { message: 'A usable offer names this configuration' })
    }
  })
  forgetConfiguration(deps, tenantId, id)
}
