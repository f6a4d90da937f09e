import { hashSecret } from '../../../shared/ids.ts'
import { equalInConstantTime } from '../../../shared/secrets.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'

/** The form of what stands in an offer's addresses; offers of versions whose addresses had no secret have their id alone. */
export const referencePattern = /^[0-9a-f-]{36}(\.[\w-]{43})?$/

const macUse = 'offer address'

/**
 * What opens an offer in an address: its id with a secret, since events and webhooks tell ids. The secret follows from the id,
 * so that whoever lists offers can say their addresses again.
 */
export function referenceOf({ secrets }: Pick<Deps, 'secrets'>, id: string): string {
  return `${id}.${secrets.mac(macUse, id)}`
}

/** Where people look at an offer. */
export function pageAddressOf({ baseUrl }: Pick<Tenant, 'baseUrl'>, reference: string): string {
  return `${baseUrl}/o/${reference}`
}

/**
 * Whether an offer was given that address: by its secret, or by the hash of one that was given at random, or under a service secret
 * that is no more. Offers without a hash are of versions that served them by their ids.
 */
export function isOpenedBy(
  { secrets }: Pick<Deps, 'secrets'>,
  { id, referenceHash }: { id: string; referenceHash: string | null },
  reference: string,
): boolean {
  if (reference.startsWith(`${id}.`) && secrets.isMac(reference.slice(id.length + 1), macUse, id)) return true
  return referenceHash === null ? reference === id : equalInConstantTime(hashSecret(reference), referenceHash)
}
