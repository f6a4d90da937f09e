import { findOAuthClientByClientId, type OAuthClientRow } from '../../../db/repos/issuance/wallets.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'

/** The page of the test wallet, which is its redirect URI. */
const testWalletPath = '/console/wallet'

/** A client that may request codes. `registered` is absent for an unregistered client that the tenant admits. */
export interface AdmittedClient {
  clientId: string
  registered?: OAuthClientRow
}

/**
 * Finds the client of an authorization request if its redirect URI is valid. Returns undefined for an unknown client or
 * another redirect URI: then no response may be sent to that URI (RFC 6749, section 4.1.2.1). An unregistered client is
 * admitted if the tenant admits public clients, or if `instanceJkt` shows that a trusted wallet provider attested its
 * key. The test wallet of the console is not admitted while it is off.
 */
export async function findAdmittedClient(
  deps: Deps,
  tenant: Tenant,
  clientId: string,
  redirectUri: string,
  instanceJkt: string | null,
): Promise<AdmittedClient | undefined> {
  if (isTestWalletOff(deps, tenant) && redirectUri === `${tenant.baseUrl}${testWalletPath}`) return undefined
  const registered = await findOAuthClientByClientId(deps.db.read, tenant.id, clientId)
  if (registered) {
    const isOwn = registered.redirectUris.some((uri) => isSameRedirectUri(uri, redirectUri))
    return isOwn ? { clientId, registered } : undefined
  }
  const mayCome = tenant.settings.publicClients || instanceJkt !== null
  return mayCome && isUnregisteredRedirectUri(redirectUri) ? { clientId } : undefined
}

function isTestWalletOff({ config }: Deps, { settings }: Tenant): boolean {
  return config.production && !settings.testWallet
}

/**
 * RFC 9700, section 2.1: exact match, except for the port of a loopback address, which an app cannot choose (RFC 8252,
 * section 7.3). The texts are compared, because a URL parser accepts characters that no redirect can contain.
 */
function isSameRedirectUri(registered: string, sent: string): boolean {
  if (registered === sent) return true
  if (!isRedirectUri(sent) || !isLoopback(new URL(sent)) || !isLoopback(new URL(registered))) return false
  return withoutPort(registered) === withoutPort(sent)
}

function withoutPort(uri: string): string {
  return uri.replace(/^(http:\/\/(?:\[[^\]]*\]|[^/?:[]*)):\d*/, '$1')
}

/**
 * Throws if the offer of a claim link comes from an unregistered client with an https redirect URI. Any website can be that client: its
 * owner could send the person to the sign-in, and collect the credential with the code. An app of an attested wallet is no website.
 */
export function refuseWebsite(
  { registered }: AdmittedClient,
  { redirectUri, instanceJkt }: { redirectUri: string; instanceJkt: string | null },
  offer: { claimLinkId: string | null } | undefined,
): void {
  if (!offer || offer.claimLinkId === null || registered || instanceJkt !== null) return
  if (new URL(redirectUri).protocol !== 'https:') return
  throw new Problem('invalid_request', {
    message: 'For this offer, a wallet with an https redirect_uri must be registered',
    check: 'client',
  })
}

/** Returns the refusal of an unknown client. The reason for the operator contains the sent values. */
export function unknownClient(clientId: string, redirectUri: string): Problem {
  // The query is left out, because it can contain anything.
  const [client, address] = [clientId, redirectUri.split('?', 1)[0]].map((text = '') => text.slice(0, 200))
  return new Problem('invalid_request', {
    message: 'The client or its redirect_uri is not known here',
    reason: `The client ${client} with the redirect_uri ${address} is not known here`,
    check: 'client',
  })
}

/**
 * Returns whether a URI is allowed as a redirect URI: https, http on loopback, or a private-use URI scheme (RFC 8252,
 * section 7).
 */
export function isRedirectUri(uri: string): boolean {
  if (!/^[\x21-\x7e]{1,2000}$/.test(uri) || !URL.canParse(uri)) return false
  const url = new URL(uri)
  // RFC 6749, section 3.1.2: no fragment. A user name in a URL can deceive people.
  if (uri.includes('#') || url.username || url.password) return false
  if (url.protocol === 'https:') return true
  return isLoopback(url) || isPrivateScheme(url)
}

/**
 * Returns the same for an unregistered client. Its private-use URI scheme must be a reversed domain name (RFC 8252,
 * section 7.1).
 */
function isUnregisteredRedirectUri(uri: string): boolean {
  if (!isRedirectUri(uri)) return false
  const { protocol } = new URL(uri)
  return protocol === 'https:' || protocol === 'http:' || protocol.includes('.')
}

function isLoopback(url: URL): boolean {
  return url.protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname)
}

const takenSchemes = new Set(['http:', 'javascript:', 'data:', 'file:', 'blob:', 'about:', 'vbscript:', 'filesystem:'])

function isPrivateScheme({ protocol }: URL): boolean {
  return !takenSchemes.has(protocol) && !/^(ws|wss|ftp|mailto|tel|sms|intent):$/.test(protocol)
}
