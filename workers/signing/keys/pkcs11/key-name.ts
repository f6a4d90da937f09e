import type { KeyPurpose } from '../../../../db/tables/identifiers/keys.ts'
import { shortIdOf, uuidOf } from '../../../../shared/ids.ts'
import { parseKeyUri } from './token-uri.ts'

/** The name of a new key in a token: CKA_LABEL and CKA_ID. */
export interface NewKeyName {
  label: string
  id: string
}

/**
 * Returns the name of the key of a tenant. The label has at most 40 bytes, which is all that a YubiHSM 2 stores
 * (https://developers.yubico.com/YubiHSM2/Concepts/Label.html). It is the same for several keys, so that only label and id together are unique.
 */
export function nameOfKey({
  tenantId,
  purpose,
  id,
}: {
  tenantId: string
  purpose: KeyPurpose
  id: string
}): NewKeyName {
  return { label: `${shortIdOf(tenantId)} ${purpose}`, id }
}

const purposes: Record<KeyPurpose, true> = {
  did: true,
  webhook: true,
  token: true,
  encryption: true,
  audit: true,
  'client-assertion': true,
  certificate: true,
}

/** A tenant and a purpose. */
const ownLabel = new RegExp(`^([\\w-]{22}) (?:${Object.keys(purposes).join('|')})$`)
/** The label of older versions: a tenant, a purpose and the id of the key. */
const olderLabel = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) [a-z-]+ (\S+)$/

/** Returns the tenant in the name of a key that `nameOfKey` or an older version made. Returns undefined for other keys. */
export function tenantOfKey(handle: string): string | undefined {
  const { id, label } = parseKeyUri(handle)
  const [, shortTenantId] = ownLabel.exec(label) ?? []
  if (shortTenantId !== undefined) return uuidOf(shortTenantId)
  const [, tenantId, keyId] = olderLabel.exec(label) ?? []
  return Buffer.from(id).toString() === keyId ? tenantId : undefined
}
