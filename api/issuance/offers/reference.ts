import {
  isReferenceOf,
  shortReference,
  shortReferenceOf,
  shortReferencePattern,
} from '../../../shared/domain/issuance/short-references.ts'
import { hashSecret } from '../../../shared/ids.ts'
import { equalInConstantTime, type SecretTenant } from '../../../shared/secrets/secrets.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { exampleId } from '../../http/fields.ts'

/**
 * The format of the reference in the addresses of an offer. Versions until 0.1.0 made longer ones. Offers of old versions have no
 * secret, so their reference is their id.
 */
export const referencePattern = new RegExp(`^(${shortReferencePattern}|[0-9a-f-]{36}(\\.[\\w-]{43})?)$`)

/** Returns the reference of an example, such as `offer`. */
export function exampleReference(thing: string): string {
  return shortReference(exampleId(thing), 'kq3fWk2mC8u0oYJx1n4bTz')
}

const addressedOf = (id: string) => ({ use: 'offer address', id, data: id })

/**
 * Returns the reference of an offer: its id with a secret, because events and webhooks contain the id. The secret is
 * derived from the id, so that lists of offers can show the address again.
 */
export function referenceOf({ secrets }: Pick<Deps, 'secrets'>, tenant: SecretTenant, id: string): string {
  return shortReferenceOf(secrets.ofTenant(tenant), addressedOf(id))
}

/** Returns the address of the page of an offer. */
export function pageAddressOf({ baseUrl }: Pick<Tenant, 'baseUrl'>, reference: string): string {
  return `${baseUrl}/o/${reference}`
}

/**
 * Returns whether a reference is valid for an offer: by its secret, or by the hash of a reference that was random or
 * derived from a removed secret. Offers without a hash come from old versions that served them by their ids.
 */
export function isOpenedBy(
  { secrets }: Pick<Deps, 'secrets'>,
  tenant: SecretTenant,
  { id, referenceHash }: { id: string; referenceHash: string | null },
  reference: string,
): boolean {
  if (isReferenceOf(secrets.ofTenant(tenant), addressedOf(id), reference)) return true
  return referenceHash === null ? reference === id : equalInConstantTime(hashSecret(reference), referenceHash)
}
