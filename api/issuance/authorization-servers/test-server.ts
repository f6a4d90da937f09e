import * as openid from 'openid-client'
import type { AuthorizationServerRow } from '../../../db/repos/issuance/authorization-servers.ts'
import type { Deps } from '../../deps.ts'
import { assertionFor } from '../../relying-party/client-authentication.ts'
import { describeDiscoveryError, fetchAuthorizationServer, isProviderTrouble } from '../../relying-party/discover.ts'
import { checkKeys, type Found } from '../../relying-party/test-provider.ts'
import { missingEndpoint, partyOfServer } from './discovery.ts'

/** Short, because an operator waits for the result. */
const timeoutMs = 3_000

/** Tests a server without a token of a person. Sends at most four requests and stores nothing. */
export async function testServer(deps: Deps, server: AuthorizationServerRow) {
  const checks = await runChecks(deps, server)
  return { works: checks.every(({ result }) => result !== 'failed'), checks }
}

async function runChecks(deps: Deps, server: AuthorizationServerRow) {
  const party = partyOfServer(deps, server)
  const configuration = await fetchAuthorizationServer(deps, party, timeoutMs).catch(describeDiscoveryError)
  if (typeof configuration === 'string')
    return [{ check: 'discovery' as const, ...failed(`Discovery failed: ${configuration}`) }]
  const metadata = configuration.serverMetadata()
  const hasIntrospection = server.clientId !== null
  const missing =
    metadata.issuer === server.issuer
      ? missingEndpoint({ ...server, hasIntrospection }, metadata)?.message
      : otherIssuer
  const discovery = missing === undefined ? passed('The server publishes its configuration') : failed(missing)
  if (missing !== undefined) return [{ check: 'discovery' as const, ...discovery }]
  return [
    { check: 'discovery' as const, ...discovery },
    hasIntrospection
      ? { check: 'introspection' as const, ...(await checkIntrospection(deps, server, configuration)) }
      : { check: 'keys' as const, ...(await checkKeys(deps, metadata)) },
  ]
}

const otherIssuer = 'The discovery document has another issuer. Copy the exact value of its member issuer'
const passed = (message: string): Found => ({ result: 'passed', message })
const failed = (message: string): Found => ({ result: 'failed', message })

/** Asks about an invalid token. A server authenticates the client first, and then answers that the token is not active. */
async function checkIntrospection(
  deps: Deps,
  server: AuthorizationServerRow,
  configuration: openid.Configuration,
): Promise<Found> {
  const assertion = await assertionFor(deps, partyOfServer(deps, server), configuration)
  try {
    await openid.tokenIntrospection(configuration, 'none', assertion)
    return passed('The server accepts the client of this service')
  } catch (error) {
    if (!isProviderTrouble(error)) throw error
    return failed('The server rejects clientId and the secret or key, or does not allow introspection for the client')
  }
}
