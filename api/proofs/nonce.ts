import { plusMs } from '../../shared/clock.ts'
import { newId } from '../../shared/ids.ts'
import type { Deps } from '../deps.ts'
import type { Application } from '../http/application.ts'

type Tenant = Application['tenant']

const lifetimeSeconds = 300

/** The purpose of a nonce. A nonce is valid for one purpose only. */
export type NonceUse = 'c_nonce' | 'dpop_nonce server' | 'dpop_nonce resource' | 'holder_challenge'

/**
 * Creates a c_nonce (OpenID4VCI 1.0, section 7). The nonce is unpredictable. It is signed instead of stored, so that an unauthenticated
 * request costs no write. It is still single-use, because the credential endpoint spends it. `of` names the resource of the tenant
 * that the nonce is for, if there are several.
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

/** Returns the members with a c_nonce in a token or credential response, where wallets of drafts 11 to 13 expect it. */
export function nonceMembers(deps: Deps, tenant: Tenant): { c_nonce: string; c_nonce_expires_in: number } {
  return { c_nonce: newNonce(deps, tenant), c_nonce_expires_in: lifetimeSeconds }
}

/** Returns when a nonce that is created now expires. */
export function nonceEnd({ clock }: Deps): Date {
  return plusMs(clock.now(), lifetimeSeconds * 1000)
}

/** Returns when the nonce expires. Returns undefined if the nonce was not issued for this tenant, or has expired. */
export function nonceExpiry(
  deps: Deps,
  tenant: Tenant,
  nonce: string,
  use: NonceUse = 'c_nonce',
  of = '',
): Date | undefined {
  const [text = '', mac = '', ...rest] = nonce.split('.', 3)
  // Accept only one encoding of a nonce. A second encoding would allow a second use.
  if (rest.length > 0 || !deps.secrets.isMac(mac, use, keyed(tenant, of + text))) return undefined
  const expiresAt = new Date(Buffer.from(text, 'base64url').readUIntBE(0, 6))
  return expiresAt > deps.clock.now() ? expiresAt : undefined
}

/** A nonce of one view is not valid at another. */
function keyed({ id, view }: Tenant, text: string): string {
  return `${view ? `${id}/${view.id}` : id} ${text}`
}
