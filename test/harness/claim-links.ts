import { and, eq } from 'drizzle-orm'
import type { Writer } from '../../db/client.ts'
import {
  type ClaimLinkTenant,
  insertClaimLinks,
  type LinkMaking,
  type MadeClaimLink,
  type NewClaimLink,
  newClaimLinkRow,
  presentClaimLink,
} from '../../db/repos/issuance/claim-links/new-claim-links.ts'
import { findTenant } from '../../db/repos/tenancy/tenants.ts'
import { bulkIssuances } from '../../db/tables/issuance/bulk-issuances.ts'
import { claimLinks } from '../../db/tables/issuance/claim-links.ts'
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
  const [made] = await deps.db.tx(async (tx) => {
    const { sealedSecret = null } = (await findTenant(tx, tenant.id)) ?? {}
    await insertBulkOfLinks(tx, tenant.id, link.bulkId, at)
    return createClaimLinks(tx, { ...tenant, sealedSecret }, [link], { secrets: deps.secrets, at })
  })
  if (!made) throw new Error('the link was not made')
  return made
}

/** Makes claim links of a bulk issuance. A row that has a link already keeps it. */
export async function createClaimLinks(
  tx: Writer,
  tenant: ClaimLinkTenant,
  links: NewClaimLink[],
  making: LinkMaking,
): Promise<MadeClaimLink[]> {
  const rows = links.map((link) => newClaimLinkRow(tenant, link, making))
  await insertClaimLinks(tx, rows)
  const ofBulk = and(eq(claimLinks.tenantId, tenant.id), eq(claimLinks.bulkId, links[0]?.bulkId ?? ''))
  const stored = await tx.select().from(claimLinks).where(ofBulk).orderBy(claimLinks.row)
  const made = new Set(links.map(({ row }) => row))
  return stored.filter(({ row }) => made.has(row)).map((row) => presentClaimLink(tenant, row, making))
}

/** Inserts the bulk issuance of claim links, unless it exists. The links of a bulk issuance that does not exist cannot be used. */
export async function insertBulkOfLinks(tx: Writer, tenantId: string, id: string, createdAt: Date): Promise<void> {
  const columns = { claims: null, externalId: 'number', userId: null }
  await tx
    .insert(bulkIssuances)
    .values({
      ...{
        id,
        tenantId,
        state: 'done',
        mode: 'links',
        configurationIds: [],
        format: 'csv',
        columns,
        fileName: 'people.csv',
      },
      ...{ onDuplicate: 'fail', validateOnly: false, issues: 'valid', startedBy: newId(), starter: 'client' },
      ...{
        sizeBytes: 0,
        total: 0,
        valid: 0,
        invalid: 0,
        done: 0,
        failed: 0,
        progress: 0,
        run: 0,
        doneBefore: 0,
        createdAt,
      },
    })
    .onConflictDoNothing()
}
