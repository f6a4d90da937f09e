import type * as openid from 'openid-client'
import type { AuthorizationServerRow } from '../../../db/repos/issuance/authorization-servers.ts'
import { findTenantRowByHost } from '../../../db/repos/tenancy/tenants.ts'
import { wrongField } from '../../../shared/errors/errors.ts'
import { normalHost } from '../../../shared/normal-host.ts'
import { findUrlFault } from '../../../shared/outbound/check-outbound-url.ts'
import type { Deps } from '../../deps.ts'
import { describeDiscoveryError, fetchAuthorizationServer, isOtherIssuer } from '../../relying-party/discover.ts'
import type { RelyingParty } from '../../relying-party/relying-party.ts'
import { openServerSecret } from './client-secret.ts'

/** The timeout, because the operator waits for the response. */
const timeoutMs = 2_000

/** The settings of a server on which its discovery depends. */
type Checked = Pick<AuthorizationServerRow, 'issuer' | 'audience' | 'userInfo'> & { hasIntrospection: boolean }
export type ServerMetadata = ReturnType<openid.Configuration['serverMetadata']>

/** Returns this service as a client of the server. A server without introspection has no client. */
export function partyOfServer({ secrets }: Pick<Deps, 'secrets'>, server: AuthorizationServerRow): RelyingParty {
  const { issuer, audience, clientId, tokenEndpointAuthMethod, assertionAudience, tenantId } = server
  const clientSecret = openServerSecret(secrets, server)
  return { issuer, clientId: clientId ?? audience, tokenEndpointAuthMethod, assertionAudience, tenantId, clientSecret }
}

/**
 * Checks the issuer of a server before it is stored. Returns warnings if the server cannot be reached yet. Throws `bad_request` if the
 * issuer is not a public URL or is this service itself, and if discovery shows that tokens can never be checked: another issuer, no
 * `jwks_uri`, or no endpoint that the settings need.
 */
export async function checkDiscovery(deps: Deps, tenantId: string, server: Checked): Promise<string[]> {
  const { issuer, audience } = server
  const fault = findUrlFault(issuer, { allowLoopback: deps.config.outboundAllowLoopback })
  if (fault) throw wrongField('issuer', fault, issuer)
  await refuseOwnHost(deps, issuer)
  // An apply of files holds a transaction, and has made this check before it.
  if (deps.sharedAudit) return []
  const client = { clientId: audience, clientSecret: '', tokenEndpointAuthMethod: 'none' }
  const party = { issuer, tenantId, ...client, assertionAudience: 'issuer' as const }
  const discovery = await fetchAuthorizationServer(deps, party, timeoutMs).catch((error: unknown) => ({ error }))
  if ('error' in discovery) {
    if (isOtherIssuer(discovery.error)) throw wrongField('issuer', otherIssuer, issuer)
    const reason = describeDiscoveryError(discovery.error)
    deps.log.info({ err: discovery.error, tenantId }, 'authorization server discovery failed')
    return [`Tokens of the server cannot be checked yet: discovery at issuer failed (${reason})`]
  }
  const metadata = discovery.serverMetadata()
  // The library ignores a trailing slash. Issuers of tokens are compared exactly.
  if (metadata.issuer !== issuer) throw wrongField('issuer', otherIssuer, issuer)
  const missing = missingEndpoint(server, metadata)
  if (missing) throw wrongField(missing.param, missing.message)
  return []
}

const otherIssuer = 'The discovery document has another issuer. Copy the exact value of its member issuer'

/** Refuses this service as a server of its own: the platform, each host below its domain, and each alias of a tenant. */
async function refuseOwnHost({ config, db }: Deps, issuer: string): Promise<void> {
  const host = normalHost(new URL(issuer).host, config.publicScheme)
  const { platformHost, platformDomain } = config
  const isOwn = host === platformHost || host === platformDomain || host.endsWith(`.${platformDomain}`)
  if (!isOwn && !(await findTenantRowByHost(db.read, host))) return
  const message =
    'This is a host of this service, whose own tokens are always accepted. Name the issuer of another server'
  throw wrongField('issuer', message, issuer)
}

/** Returns what the discovery document lacks for these settings, and the setting to change. */
export function missingEndpoint(
  { hasIntrospection, userInfo }: Pick<Checked, 'hasIntrospection' | 'userInfo'>,
  metadata: ServerMetadata,
): { param: string; message: string } | undefined {
  if (!hasIntrospection && metadata.jwks_uri === undefined) {
    const message = 'The discovery document has no jwks_uri. Let the server publish its keys, or set introspection'
    return { param: 'issuer', message }
  }
  if (hasIntrospection && metadata.introspection_endpoint === undefined) {
    const message = 'The discovery document has no introspection_endpoint. Leave introspection out'
    return { param: 'introspection', message }
  }
  if (userInfo && metadata.userinfo_endpoint === undefined)
    return { param: 'userInfo', message: 'The discovery document has no userinfo_endpoint. Set userInfo to false' }
  return undefined
}
