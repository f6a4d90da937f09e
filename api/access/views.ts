import type { Context } from 'koa'
import { isGoneView, type ViewRow } from '../../db/repos/issuance/views.ts'
import type { CredentialProfile } from '../../shared/domain/issuance/profiles.ts'
import { followsHaip } from '../../shared/domain/tenancy/protocol-profiles.ts'
import { Problem } from '../../shared/errors/errors.ts'
import type { Deps } from '../deps.ts'
import type { Tenant, View } from './subjects.ts'

/** The pattern of the path of a view. */
export const viewPathPattern = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The address of a view: `/views/{path}` before the path of an endpoint. In a well-known address it stands after the well-known path
 * (RFC 8414, section 3.1; OpenID4VCI 1.0, section 12.2.2). Older wallets put it before.
 */
const viewUrl = /^(\/\.well-known\/[a-z-]+)?\/views\/([a-z0-9-]{1,63})(?=[/?]|$)/

/** The paths below the address of a view. The route decides whether it is served there (`isOfViews`). */
const ofWallets = /^\/(v1|\.well-known)\//

/** Removes the address of a view from the URL of a request, so that the routes of the tenant serve it. */
export function readViewPath(ctx: Context): void {
  const { url = '' } = ctx.req
  if (!url.includes('/views/')) return
  const [prefix, wellKnown = '', path] = viewUrl.exec(url) ?? []
  if (prefix === undefined || path === undefined) return
  const rest = url.slice(prefix.length)
  if (wellKnown === '' && !ofWallets.test(rest)) return
  ctx.state.viewPath = path
  ctx.req.url = wellKnown + rest
}

/**
 * Returns the tenant as the request sees it: through the view that its host or its path names, or itself. Returns undefined for an unknown
 * view.
 */
export function findThroughView(ctx: Context, tenant: Tenant): Tenant | undefined {
  const path = pathOf(ctx)
  const ofHost = tenant.throughViews.find(({ view }) => view?.host === tenant.host)
  if (ofHost) return path === undefined ? ofHost : undefined
  return path === undefined ? tenant : tenant.throughViews.find(({ view }) => view?.path === path)
}

/** Returns the path of the view that a request names. */
function pathOf({ state }: Context): string | undefined {
  return typeof state.viewPath === 'string' ? state.viewPath : undefined
}

/** Returns the problem of a request to a view that the tenant does not have: `gone` if the view was deleted. */
export async function unknownView(deps: Deps, ctx: Context, { id: tenantId }: Tenant): Promise<Problem> {
  const path = pathOf(ctx) ?? ''
  if (await isGoneView(deps.db.read, tenantId, path)) return goneView()
  return new Problem('not_found', { message: 'No view has this address.' })
}

/** Returns the problem of a request to a view that was deleted. */
export function goneView(): Problem {
  const message = 'The issuer deleted this view. Its credentials stay valid. Get a new offer to collect another one.'
  return new Problem('gone', { message })
}

/** Returns the URL below which the endpoints of a view are served at the host of the tenant, where people sign in. */
export function baseUrlOfPages({ baseUrl, view }: Pick<Tenant, 'baseUrl' | 'view'>): string {
  return view ? `${baseUrl}/views/${view.path}` : baseUrl
}

/** Returns the tenant as requests to the address of a view see it. */
export function throughView(tenant: Tenant, row: ViewRow): Tenant {
  const { id, path, host, profile, configurations, displayName, walletFamilies } = row
  const { settings } = tenant
  return {
    ...tenant,
    name: displayName ?? tenant.name,
    issuer: host === null ? `${tenant.baseUrl}/views/${path}` : `${new URL(tenant.baseUrl).protocol}//${host}`,
    profile,
    settings: {
      ...settings,
      // HAIP 1.0, section 4.4.1: every wallet authenticates.
      publicClients: !followsHaip(profile) && settings.publicClients,
      walletFamilies: walletFamilies ?? settings.walletFamilies,
      branding: displayName === null ? settings.branding : { ...settings.branding, names: [] },
    },
    view: { id, path, host: host ?? undefined, configurations },
  }
}

/** Returns the id of the view through which a request sees the tenant, as rows store it. */
export function viewIdOf({ view }: Pick<Tenant, 'view'>): string | null {
  return view?.id ?? null
}

/** Whether a row belongs to the view of the request. Rows of other views get the answer of rows that do not exist. */
export function isOfView(tenant: Pick<Tenant, 'view'>, row: { viewId: string | null }): boolean {
  return row.viewId === viewIdOf(tenant)
}

/** Returns the issuer identifier of the view that a row belongs to. */
export function issuerOfRow({ baseUrl, throughViews }: Tenant, { viewId }: { viewId: string | null }): string {
  if (viewId === null) return baseUrl
  return throughViews.find(({ view }) => view?.id === viewId)?.issuer ?? baseUrl
}

/** Whether a view publishes a configuration. The tenant itself publishes all. */
export function publishes(
  view: Pick<View, 'configurations'> | undefined,
  { id, profile }: { id: string; profile: CredentialProfile },
): boolean {
  if (!view) return true
  const { configurations } = view
  return 'ids' in configurations ? configurations.ids.includes(id) : configurations.profiles.includes(profile)
}
