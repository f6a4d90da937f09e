import type { z } from 'zod'
import type { Writer } from '../../../db/client.ts'
import type { BulkSettings } from '../../../db/repos/issuance/bulk/bulk-issuances.ts'
import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import { listAuthenticationProviders } from '../../../db/repos/issuance/sign-in-providers.ts'
import type { TenantSettings } from '../../../db/tables/tenancy/tenants.ts'
import { defaultClaimLinkMs } from '../../../shared/domain/issuance/claim-links.ts'
import { isKeyBound } from '../../../shared/domain/issuance/profiles.ts'
import { wrongField } from '../../../shared/errors/errors.ts'
import { formatOfName } from '../../../shared/formats/table-file/table.ts'
import { getOffered } from '../offers/configurations.ts'
import { holdDefaultView, requirePublished } from '../offers/view-of-offer.ts'
import type { NewBulkIssuance } from './schemas.ts'

export type BulkForm = z.infer<typeof NewBulkIssuance>

/**
 * Returns the settings of a bulk issuance as they are stored. Checks that the configurations exist, and locks them. In the mode `sign`, the
 * credentials of the configuration must not be bound to a key of the holder.
 */
export async function settingsOf(
  tx: Writer,
  tenant: { id: string; settings: Pick<TenantSettings, 'defaultView'> },
  form: BulkForm,
  fileName: string,
): Promise<BulkSettings> {
  const { id: tenantId } = tenant
  const { mode, externalId, columns = null, userIdColumn = null, keepColumns, onDuplicate, validateOnly } = form
  const configurationIds = [...new Set(form.configurationIds)]
  const configurations = await getOffered(tx, tenantId, configurationIds, 'configurationIds')
  await requirePublished(tx, tenantId, form.view, configurations, 'configurationIds')
  if (mode === 'sign') configurations.forEach(refuseKeyBound)
  const ofLinks = {
    linkSeconds: (form.expiresIn ?? defaultClaimLinkMs) / 1_000,
    transactionCode: form.transactionCode ?? null,
    signIn: form.signIn ?? null,
    viewId: form.view ?? (await holdDefaultView(tx, tenant, configurations))?.id ?? null,
  }
  if (form.signIn) await requireProvider(tx, tenantId)
  return {
    ...{ mode, configurationIds, onDuplicate, validateOnly, format: formatOfName(fileName) },
    columns: { claims: columns, externalId, userId: userIdColumn, ...(keepColumns && { kept: keepColumns }) },
    ...(mode === 'links' ? ofLinks : { linkSeconds: null, transactionCode: null, signIn: null, viewId: null }),
  }
}

/** Throws if the tenant has no provider at which people could sign in. */
export async function requireProvider(tx: Writer, tenantId: string): Promise<void> {
  const providers = await listAuthenticationProviders(tx, tenantId, { limit: 1 })
  if (providers.length === 0) throw wrongField('signIn', 'The tenant has no authentication provider')
}

function refuseKeyBound(configuration: ConfigurationRow): void {
  const { id, profile } = configuration
  if (profile === 'mobile') throw wrongField('configurationIds', 'A mobile credential needs a key of the holder', id)
  if (profile === 'sd-jwt' && isKeyBound(configuration)) {
    throw wrongField('configurationIds', 'Must be a configuration with keyBinding false', id)
  }
}
