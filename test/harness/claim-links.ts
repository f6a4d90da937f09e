import { createClaimLinks, type MadeClaimLink, type NewClaimLink } from '../../db/repos/issuance/new-claim-links.ts'
import { dayMs, plusMs } from '../../shared/clock.ts'
import { newId } from '../../shared/ids.ts'
import type { Service, TestTenant } from './harness.ts'

/** Makes a claim link for Ada that is valid for four weeks, as a bulk issuance does. */
export async function newClaimLink(
  { deps }: Pick<Service, 'deps'>,
  tenant: Pick<TestTenant, 'id' | 'baseUrl'>,
  configurationIds: string[],
  extra: Partial<NewClaimLink> = {},
): Promise<MadeClaimLink> {
  const at = deps.clock.now()
  const link: NewClaimLink = {
    ...{ bulkId: newId(), row: 1, externalId: 's-1', configurationIds, claims: { given_name: 'Ada' } },
    expiresAt: plusMs(at, 28 * dayMs),
    ...extra,
  }
  const [made] = await deps.db.tx((tx) => createClaimLinks(tx, tenant, [link], { secrets: deps.secrets, at }))
  if (!made) throw new Error('the link was not made')
  return made
}
