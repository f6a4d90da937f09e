import { z } from 'zod'
import type { AuthorizationServerRow } from '../../../db/repos/issuance/authorization-servers.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { findPublishedIds } from '../configurations/published-ids.ts'
import { loadRecentScopes } from '../configurations/scope.ts'
import type { TokenClaims } from './token-claims.ts'

/** The configurations that a wallet can collect with a token. */
export interface CollectableConfigurations {
  configurationIds: string[]
  /** Configuration id by credential identifier. */
  credentialIdentifiers: Record<string, string>
}

/** An object of `authorization_details` in a token (OpenID4VCI 1.0, section 6.2; RFC 9396, section 9.1). */
const Detail = z.object({
  type: z.literal('openid_credential'),
  credential_configuration_id: z.string(),
  credential_identifiers: z.array(z.string().min(1).max(200)).max(100).default([]),
})

/**
 * Returns what the scopes and the `authorization_details` of a token name. Ignores configurations that are unknown, or that the view of the
 * request does not publish.
 */
export async function grantedBy(
  deps: Deps,
  tenant: Tenant,
  server: AuthorizationServerRow,
  { scope = '', authorization_details: details = [] }: TokenClaims,
): Promise<CollectableConfigurations> {
  const scopes = await loadRecentScopes(deps, tenant.id)
  const sent = new Set(scope.split(' '))
  const ofConfigurations = [...scopes].filter(([, each]) => sent.has(each)).map(([id]) => id)
  const ofServer = Object.entries(server.scopes).filter(([each]) => sent.has(each))
  const detailed = details.flatMap((each) => {
    const { data } = Detail.safeParse(each)
    return data && scopes.has(data.credential_configuration_id) ? [data] : []
  })
  const mapped = ofServer.map(([, id]) => id).filter((id) => scopes.has(id))
  const named = [...ofConfigurations, ...mapped, ...detailed.map((each) => each.credential_configuration_id)]
  const ids = tenant.view ? await findPublishedIds(deps, tenant, named) : named
  const identifiers = detailed.flatMap((each) =>
    each.credential_identifiers.map((identifier): [string, string] => [identifier, each.credential_configuration_id]),
  )
  const ofIds = identifiers.filter(([, id]) => ids.includes(id))
  return { configurationIds: [...new Set(ids)], credentialIdentifiers: Object.fromEntries(ofIds) }
}
