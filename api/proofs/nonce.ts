import { plusMs } from '../../shared/clock.ts'
import { newId } from '../../shared/ids.ts'
import type { Deps } from '../deps.ts'
import type { Application } from '../http/application.ts'

type Tenant = Application['tenant']

const lifetimeSeconds = 300

/** Nonces of one use are none of another. */
export type NonceUse = 'c_nonce' | 'dpop_nonce server' | 'dpop_nonce resource' | 'holder_challenge'

/**
 * A c_nonce (OpenID4VCI 1.0, section 7): unpredictable, and signed rather than stored, so that asking for one, which
 * anybody may do, costs no write. It is single-use all the same: the credential endpoint spends it. `of` names the one thing of the
 * tenant that it is for, where there are several.
 */
export function newNonce(
  deps: Deps,
  tenant: Tenant,
  use: NonceUse = 'c_nonce',
  { of = '', expiresAt = nonceEnd(deps) }: { of?: string; expiresAt?: Date } = {},
): string {
  const content = Buffer.alloc(22)
  content.writeUIntBE(expiresAt.getTime(), 0, 6)
  content.write(newId().replaceAll('-', ''), 6, 'hex')
  const text = content.toString('base64url')
  return `${text}.${deps.secrets.mac(use, keyed(tenant, of + text))}`
}

/** A c_nonce beside a token or a credential, where wallets of drafts 11 to 13 look for it. */
export function nonceMembers(deps: Deps, tenant: Tenant): { c_nonce: string; c_nonce_expires_in: number } {
  return { c_nonce: newNonce(deps, tenant), c_nonce_expires_in: lifetimeSeconds }
}

/** When a nonce of now ends. */
export function nonceEnd({ clock }: Deps): Date {
  return plusMs(clock.now(), lifetimeSeconds * 1000)
}

/** When the nonce ends; undefined when it is not one of ours for this tenant, or has ended. */
export function nonceExpiry(
  deps: Deps,
  tenant: Tenant,
  nonce: string,
  use: NonceUse = 'c_nonce',
  of = '',
): Date | undefined {
  const [text = '', mac = '', ...rest] = nonce.split('.')
  // A second spelling of a nonce would be a second use of it.
  if (rest.length > 0 || !deps.secrets.isMac(mac, use, keyed(tenant, of + text))) return undefined
  const expiresAt = new Date(Buffer.from(text, 'base64url').readUIntBE(0, 6))
  return expiresAt > deps.clock.now() ? expiresAt : undefined
}

function keyed({ id }: Tenant, text: string): string {
  return `${id} ${text}`
}
