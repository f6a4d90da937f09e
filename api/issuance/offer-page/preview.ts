import { z } from 'zod'
import { listAllConfigurations } from '../../../db/repos/issuance/configurations.ts'
import { newId } from '../../../shared/ids.ts'
import type { RenderedPage } from '../../../shared/pages/page.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import type { Headers } from '../../http/route.ts'
import { brandingOf } from '../../tenancy/tenants/branding.ts'
import { TenantUpdate } from '../../tenancy/tenants/schemas.ts'
import { preAuthorizedOffer } from '../offers/offer-object.ts'
import { renderOffer } from './page.ts'

/** The part of the settings of a tenant that its pages show. */
export const Appearance = TenantUpdate.pick({ name: true, branding: true })

const Preview = z.object({ appearance: Appearance, endsAt: z.number() })

const macUse = 'preview'
const lifeMs = 3_600_000
/** The time that the page shows as left. */
const offerMs = 900_000

/**
 * Returns the path of a page that shows an example offer in this appearance for one hour. The path contains the appearance, so that
 * nothing is stored, and a MAC of the tenant, so that only an admin of the tenant chooses it.
 */
export function previewPathOf(
  { secrets, clock }: Pick<Deps, 'secrets' | 'clock'>,
  tenantId: string,
  appearance: z.infer<typeof Appearance>,
): string {
  const endsAt = clock.now().getTime() + lifeMs
  const text = Buffer.from(JSON.stringify({ appearance, endsAt } satisfies z.infer<typeof Preview>)).toString(
    'base64url',
  )
  return `/o/previews/${secrets.mac(macUse, `${tenantId} ${text}`)}.${text}`
}

/** Returns the appearance of a preview. Returns undefined if this service did not create the path, or its time is over. */
export function appearanceOf(
  { secrets, clock }: Pick<Deps, 'secrets' | 'clock'>,
  tenantId: string,
  key: string,
): z.infer<typeof Appearance> | undefined {
  const [mac = '', text = ''] = key.split('.', 2)
  if (!secrets.isMac(mac, macUse, `${tenantId} ${text}`)) return undefined
  // Another version of the service can have created the path.
  const preview = Preview.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString())).data
  return preview && clock.now().getTime() < preview.endsAt ? preview.appearance : undefined
}

/**
 * Renders the offer page in an appearance that is not saved. Its offer is an example for the two oldest configurations. No wallet can
 * collect it, and the page does not ask for its state.
 */
export async function previewPage(
  deps: Deps,
  tenant: Tenant,
  headers: Headers,
  { name = tenant.name, branding = {} }: z.infer<typeof Appearance>,
): Promise<RenderedPage> {
  const previewTenant = { ...tenant, name, settings: { ...tenant.settings, branding: brandingOf(branding) } }
  const configurations = await listAllConfigurations(deps.db.read, tenant.id, { limit: 2 })
  const configurationIds = configurations.map(({ id }) => id)
  const offer = {
    ...{
      id: newId(),
      configurationIds,
      isByReference: false,
      viewId: null,
      transactionCode: undefined,
      traceparent: null,
    },
    state: 'offered' as const,
    expiresAt: new Date(deps.clock.now().getTime() + offerMs),
    content: () => preAuthorizedOffer(tenant.issuer, configurationIds, 'preview', undefined, undefined),
  }
  return renderOffer(deps, previewTenant, headers, {
    ...{ configurationIds, offer, state: 'preview', pollMs: offerMs, outcomes: {}, isPreview: true },
  })
}
