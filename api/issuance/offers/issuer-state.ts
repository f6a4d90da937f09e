import type { SecretTenant } from '../../../shared/secrets/secrets.ts'
import type { Deps } from '../../deps.ts'

const macUse = 'issuer state'

/**
 * Returns the `issuer_state` of an offer whose person must sign in. It has a secret, so that only a person with the offer can use up its
 * claim link. The secret is derived from the id, so that the page of the offer can show it again.
 */
export function issuerStateOf({ secrets }: Pick<Deps, 'secrets'>, tenant: SecretTenant, offerId: string): string {
  return `${offerId}.${secrets.ofTenant(tenant).mac(macUse, offerId)}`
}

export function isIssuerStateOf(
  { secrets }: Pick<Deps, 'secrets'>,
  tenant: SecretTenant,
  offerId: string,
  issuerState: string,
): boolean {
  const mac = issuerState.slice(offerId.length + 1)
  return issuerState.startsWith(`${offerId}.`) && secrets.ofTenant(tenant).isMac(mac, macUse, offerId)
}
