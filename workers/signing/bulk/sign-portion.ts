import { type ConfigurationRow, findConfiguration } from '../../../db/repos/issuance/configurations.ts'
import type { BulkFailure } from '../../../db/tables/issuance/bulk-issuances.ts'
import { isKeyBound } from '../../../shared/domain/issuance/profiles.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import type { SigningDeps } from '../deps.ts'
import { commitRows } from './commit-rows.ts'
import { type Issued, missingConfiguration, type Portion, type PortionResult } from './portion.ts'
import { type SignedRows, signRows } from './sign-rows.ts'

/** Signs the rows of a portion, and commits their credentials with the progress in one transaction. */
export async function signPortion(deps: SigningDeps, portion: Portion): Promise<PortionResult> {
  const { db, clock, secrets, signerCache } = deps
  const { bulk, rows, isLast } = portion
  const configuration = await findConfiguration(db.read, bulk.tenantId, bulk.configurationIds[0] ?? '')
  if (!configuration) return missingConfiguration
  if (configuration.profile === 'sd-jwt' && isKeyBound(configuration)) return keyBound
  const signed = await signOrFail(deps, portion, configuration)
  if ('code' in signed) return signed
  const toCommit = { bulk, configuration, rows, ...signed, isLast, at: clock.now() }
  const commitsFrom = performance.now()
  const committed = await db.tx((tx) => commitRows(tx, secrets, toCommit))
  if (committed === 'certificate ended') {
    signerCache.clear()
    return undefined
  }
  if (!committed) return undefined
  count(deps, configuration, committed)
  return { ...committed, commitMs: performance.now() - commitsFrom }
}

const keyBound: BulkFailure = {
  code: 'key_binding',
  message: 'The configuration now requires a key of the holder.',
}

/** Returns a failure if there is no signer for any of the rows. */
async function signOrFail(
  deps: SigningDeps,
  { issuer, rows }: Portion,
  configuration: ConfigurationRow,
): Promise<SignedRows | BulkFailure> {
  try {
    return await signRows(deps, issuer, configuration, rows)
  } catch (error) {
    if (!(error instanceof Problem) || error.problem !== 'credential_request_denied') throw error
    return { code: 'no_signer', message: error.reason ?? error.message }
  }
}

function count({ counts }: SigningDeps, { tenantId, profile }: ConfigurationRow, { done, failed }: Issued): void {
  if (done > 0) counts.issued({ tenantId, profile, askedBy: 'operator' }, done)
  for (let each = 0; each < failed; each++) counts.refused({ tenantId, profile })
}
