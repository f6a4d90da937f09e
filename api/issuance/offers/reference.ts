import { hashSecret } from '../../../shared/ids.ts'
import { equalInConstantTime } from '../../../shared/secrets/secrets.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'

/**
 * The format of the reference in the addresses of an offer. Offers of old versions have no secret, so their reference
 * is their id.
 */
export const referencePattern = /^[0-9a-f-]{36}(\.[\w-]{43})?$/

const macUse = 'offer address'

/**
 * Returns the reference of an offer: its id with a secret, because events and webhooks contain the id. The secret is
 * derived from the id, so that lists of offers can show the address again.
 */
export function referenceOf({ secrets }: Pick<Deps, 'secrets'>, id: string): string {
  return `${id}.${secrets.mac(macUse, id)}`
}

/** Returns the address of the page of an offer. */
export function pageAddressOf({ baseUrl }: Pick<Tenant, 'baseUrl'>, reference: string): string {
  return `${baseUrl}/o/${reference}`
}

/**
 * Returns whether a reference is valid for an offer: by its secret, or by the hash of a reference that was random or
 * derived from a removed service secret. Offers without a hash come from old versions that served them by their ids.
 */
export function isOpenedBy(
  { secrets }: Pick<Deps, 'secrets'>,
  { id, referenceHash }: { id: string; referenceHash: string | null },
  reference: string,
): boolean {
  if (reference.startsWith(`${id}.`) && secrets.isMac(reference.slice(id.length + 1), macUse, id)) return true
  return referenceHash === null ? reference === id : equalInConstantTime(hashSecret(reference), referenceHash)
}
