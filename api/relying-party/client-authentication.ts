import * as openid from 'openid-client'
import type { Writer } from '../../db/client.ts'
import { addToOutbox } from '../../db/outbox.ts'
import { assertionKeySetPath, privateKeyJwt } from '../../shared/domain/identifiers/client-assertions.ts'
import { wrongField } from '../../shared/errors/errors.ts'
import type { Deps } from '../deps.ts'
import { maskClientSecret, requireUnmasked } from './masked-secret.ts'
import type { RelyingParty } from './relying-party.ts'

/**
 * Authenticates this service at the endpoints of the provider. With `private_key_jwt`, each request also needs `assertionFor`. An
 * authorization server that is not asked about tokens has no secret.
 */
export function authenticationOf({ tokenEndpointAuthMethod, clientSecret }: RelyingParty): openid.ClientAuth {
  if (tokenEndpointAuthMethod === privateKeyJwt || clientSecret === '') return openid.None()
  if (tokenEndpointAuthMethod === 'client_secret_post') return openid.ClientSecretPost(clientSecret)
  return openid.ClientSecretBasic(clientSecret)
}

/**
 * Returns the parameters of one token request that authenticate this service (RFC 7523, section 2.2). Empty without `private_key_jwt`. The
 * signing process signs assertions, because only it can open the key. Throws `service_unavailable` if it does not answer in time.
 */
export async function assertionFor(
  { keys }: Pick<Deps, 'keys'>,
  party: RelyingParty,
  configuration: openid.Configuration,
): Promise<Record<string, string>> {
  const { tokenEndpointAuthMethod, clientId, assertionAudience, tenantId } = party
  if (tokenEndpointAuthMethod !== privateKeyJwt) return {}
  const { issuer, token_endpoint: endpoint = issuer } = configuration.serverMetadata()
  const audience = assertionAudience === 'issuer' ? issuer : endpoint
  const { assertion } = await keys.call('signClientAssertion', { tenantId, clientId, audience })
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertion,
  }
}

/**
 * Creates the key of assertions after the settings are stored. Without the job, the first assertion creates the key, but a key set that the
 * operator copies would be empty until then. Poke the bus after the transaction.
 */
export async function addKeyJob(
  tx: Writer,
  { tenantId, tokenEndpointAuthMethod }: Pick<RelyingParty, 'tenantId' | 'tokenEndpointAuthMethod'>,
  at: Date,
): Promise<void> {
  if (tokenEndpointAuthMethod === privateKeyJwt)
    await addToOutbox(tx, 'makeAssertionKey', [{ payload: { tenantId } }], at)
}

/** Returns the members of a view that say how this service authenticates at the provider. The secret is masked. */
export function presentAuthentication(
  tenant: { baseUrl: string },
  { tokenEndpointAuthMethod, assertionAudience, clientSecret }: Omit<RelyingParty, 'issuer' | 'clientId' | 'tenantId'>,
) {
  const members = { tokenEndpointAuthMethod, assertionAudience }
  if (tokenEndpointAuthMethod === privateKeyJwt)
    return { ...members, jwksUrl: `${tenant.baseUrl}${assertionKeySetPath}` }
  return { ...members, clientSecret: maskClientSecret(clientSecret) }
}

interface SentClient {
  tokenEndpointAuthMethod: string
  clientSecret?: string | undefined
}

/**
 * Returns the secret to store: none with `private_key_jwt`. `replace` returns the secret of a body for settings that already have one. Throws
 * `bad_request` for a missing or useless secret.
 */
export function secretToStore(
  { tokenEndpointAuthMethod, clientSecret }: SentClient,
  replace?: (sent: string | undefined) => string,
  param = 'clientSecret',
): string {
  if (tokenEndpointAuthMethod === privateKeyJwt) {
    if (clientSecret === undefined) return ''
    throw wrongField(param, `Must be left out with ${privateKeyJwt}`)
  }
  if (replace) return replace(clientSecret)
  if (clientSecret === undefined) throw wrongField(param, 'Required')
  return requireUnmasked(param, clientSecret)
}
