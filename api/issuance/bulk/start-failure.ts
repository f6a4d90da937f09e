import type { BulkIssuanceRow } from '../../../db/repos/issuance/bulk/bulk-issuances.ts'
import { findConfigurationSigners } from '../../../db/repos/issuance/configuration-signers.ts'
import type { BulkFailure } from '../../../db/tables/issuance/bulk-issuances.ts'
import type { Deps } from '../../deps.ts'
import { findRecentConfiguration } from '../configurations/recent.ts'

/** Returns why the service would pause a bulk issuance that were started now. Returns undefined if it does not wait for a start. */
export async function findStartFailure(
  deps: Deps,
  { tenantId, state, configurationIds }: BulkIssuanceRow,
): Promise<BulkFailure | undefined> {
  if (state !== 'ready') return undefined
  const rows = await Promise.all(configurationIds.map((id) => findRecentConfiguration(deps, tenantId, id)))
  const configurations = rows.filter((row) => row !== undefined)
  const { faults } = await findConfigurationSigners(deps.db.read, configurations, deps.clock.now())
  const [fault] = faults
  return fault && { code: 'no_signer', message: fault.message }
}
