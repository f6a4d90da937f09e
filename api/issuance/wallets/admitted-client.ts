import { findOAuthClientByClientId, type OAuthClientRow } from '../../../db/repos/issuance/wallets.ts'
import { Problem } from '../../../shared/errors.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'

/** A client that may ask for codes; `registered` is absent for one that the tenant admits without knowing it. */
export interface AdmittedClient {
  clientId: string
  registered?: OAuthClientRow
}

/**
 * The client of an authorization request, when its redirect URI is one of its own. Undefined when it is not, or nobody
 * knows the client: then nothing may be told to that address (RFC 6749, section 4.1.2.1). One that nobody registered is admitted
 * where the tenant admits such, or where `instanceJkt` says that a provider whom it trusts attested that key of it.
 */
export async function findAdmittedClient(
  deps: Deps,
  tenant: Tenant,
  clientId: string,
  redirectUri: string,
  instanceJkt: string | null,
): Promise<AdmittedClient | undefined> {
  const registered = await findOAuthClientByClientId(deps.db.read, tenant.id, clientId)
  if (registered) {
    const isOwn = registered.redirectUris.some((uri) => isSameRedirectUri(uri, redirectUri))
    return isOwn ? { clientId, registered } : undefined
  }
  const mayCome = tenant.settings.publicClients || instanceJkt !== null
  return mayCome && isAnybodysRedirectUri(redirectUri) ? { clientId } : undefined
}

/** RFC 9700, section 2.1: exact, but for the port of a loopback address, which an app cannot choose (RFC 8252, section 7.3). */
function isSameRedirectUri(registered: string, sent: string): boolean {
  if (registered === sent) return true
  if (!URL.canParse(sent)) return false
  const [left, right] = [new URL(registered), new URL(sent)]
  if (!isLoopback(left) || !isLoopback(right) || right.username || right.password || right.hash) return false
  left.port = ''
  right.port = ''
  return left.href === right.href
}

/** What a wallet is told that is not admitted; the operator is told what it sent. */
export function unknownClient(clientId: string, redirectUri: string): Problem {
  // Not what is behind the question mark, which can be anything.
  const [client, address] = [clientId, redirectUri.split('?', 1)[0]].map((text = '') => text.slice(0, 200))
  return new Problem('invalid_request', {
    message: 'The client or its redirect_uri is not known here',
    reason: `The client ${client} with the redirect_uri ${address} is not known here`,
  })
}

/** Whether an address may be one to redirect to: https, http on loopback, or a scheme of an app's own (RFC 8252, section 7). */
export function isRedirectUri(uri: string): boolean {
  if (!/^[\x21-\x7e]{1,2000}$/.test(uri) || !URL.canParse(uri)) return false
  const url = new URL(uri)
  // RFC 6749, section 3.1.2: no fragment. A user name is there to deceive people.
  if (uri.includes('#') || url.username || url.password) return false
  if (url.protocol === 'https:') return true
  return isLoopback(url) || isPrivateScheme(url)
}

/** The same for a client that nobody registered: a scheme of its own is the reverse of a domain (RFC 8252, section 7.1). */
function isAnybodysRedirectUri(uri: string): boolean {
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
