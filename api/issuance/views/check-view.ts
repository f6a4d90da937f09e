import type { z } from 'zod'
import type { Writer } from '../../../db/client.ts'
import { holdTenant } from '../../../db/hold.ts'
import { findAuthorizationServers } from '../../../db/repos/issuance/authorization-servers.ts'
import { findAllConfigurations } from '../../../db/repos/issuance/configurations.ts'
import { findHosts, findTenant } from '../../../db/repos/tenancy/tenants.ts'
import type { CredentialProfile } from '../../../shared/domain/issuance/profiles.ts'
import { followsHaip } from '../../../shared/domain/tenancy/protocol-profiles.ts'
import { Problem, type ProblemDetail, wrongField } from '../../../shared/errors/errors.ts'
import { normalHost } from '../../../shared/normal-host.ts'
import type { Config } from '../../../shared/settings/config.ts'
import type { Tenant } from '../../access/subjects.ts'
import { publishes } from '../../access/views.ts'
import type { ViewUpdate } from './schemas.ts'

/** HAIP 1.0, section 6: the credential formats `mso_mdoc` and `dc+sd-jwt`. */
const haipProfiles: readonly CredentialProfile[] = ['mobile', 'sd-jwt']

/** Throws `bad_request` if an authorization server has the issuer identifier of the view as the audience of tokens for the tenant. */
export async function refuseUsedAudience(
  tx: Writer,
  { id }: Tenant,
  { issuer, view }: Pick<Tenant, 'issuer' | 'view'>,
): Promise<void> {
  const servers = await findAuthorizationServers(tx, id)
  const server = servers.find(({ audience }) => audience === issuer)
  if (!server) return
  const message = `The issuer identifier ${issuer} is the audience of the authorization server ${server.name}. Change its audience, or choose another ${view?.host ? 'host' : 'path'}`
  throw wrongField(view?.host ? 'host' : 'path', message)
}

/**
 * Locks the tenant, so that the host stays its own. Throws `bad_request` unless the host is an alias of the tenant: not its first host, where
 * it is an issuer itself, nor the one below the domain of the platform.
 */
export async function requireAlias(tx: Writer, config: Config, tenantId: string, host: string): Promise<void> {
  const tenant = await holdTenant(tx, tenantId)
  const isOwn =
    host === tenant?.canonicalHost ||
    host === normalHost(`${tenant?.subdomain}.${config.platformDomain}`, config.publicScheme)
  if (!isOwn && (await findHosts(tx, tenantId)).includes(host)) return
  throw wrongField(
    'host',
    'Must be an alias of this tenant. The operator of the platform adds it to `aliases` of the tenant',
  )
}

/**
 * Throws `bad_request` if the view names unknown configurations or publishes none, or if its profile contradicts its configurations or
 * the tenant. Names each fault.
 */
export async function checkView(tx: Writer, { id }: Tenant, view: z.infer<typeof ViewUpdate>): Promise<void> {
  const { configurations, profile } = view
  const details: ProblemDetail[] = []
  const refuse = (param: string, msg: string, value?: string) =>
    details.push({ param, msg, location: 'body', ...(value !== undefined && { value }) })
  const all = await findAllConfigurations(tx, id)
  const published = all.filter((row) => publishes({ configurations }, row))
  if ('ids' in configurations) {
    const existingIds = new Set(all.map((row) => row.id))
    for (const [position, configurationId] of configurations.ids.entries()) {
      if (!existingIds.has(configurationId))
        refuse(`configurations.ids.${position}`, 'Resource Not Found', configurationId)
    }
  } else if (published.length === 0) {
    refuse('configurations.profiles', 'The tenant has no configuration of these profiles. Create one first.')
  }
  if (followsHaip(profile)) {
    const formats = 'ids' in configurations ? published.map((row) => row.profile) : configurations.profiles
    const others = [...new Set(formats.filter((each) => !haipProfiles.includes(each)))]
    const names = others.join(', ')
    if (others.length > 0)
      refuse(
        'configurations',
        `The profile ${profile} allows only mobile and sd-jwt. Remove the configurations of ${names}.`,
      )
    // HAIP 1.0, section 6.1: `status_list` of the Token Status List draft.
    const tenant = await findTenant(tx, id)
    if (tenant?.settings.statusListFormat === 'legacy')
      refuse('profile', `Must not be ${profile} while the tenant has the statusListFormat legacy.`)
  }
  if (details.length > 0) throw new Problem('bad_request', { details })
}
