import type { z } from 'zod'
import type { InventoryRow } from '../../../db/repos/identifiers/key-inventory.ts'
import type { KeyPurpose } from '../../../db/tables/identifiers/keys.ts'
import {
  accessKeyPart,
  type KeyPart,
  partOfCertificate,
  partOfKey,
} from '../../../shared/domain/identifiers/key-policy.ts'
import { keyPurposes, keyUseNames } from '../../../shared/domain/identifiers/key-purposes.ts'
import type { InventoryKey } from './schemas.ts'

type View = z.input<typeof InventoryKey>

export function presentInventoryKey(row: InventoryRow): View {
  const { id, ownerKind, ownerId, algorithm, provider, createdAt, retiredAt } = row
  return {
    id,
    purpose: purposeOf(row),
    part: partOf(row),
    owner: { kind: ownerKind, ...(ownerId !== '' && { id: ownerId }) },
    ...{ algorithm, provider },
    createdAt: createdAt.toISOString(),
    retiredAt: retiredAt?.toISOString() ?? null,
  }
}

/** Keys of the tenant itself have the names of the paths. Its own DID signs credentials. */
function purposeOf({ ownerKind, purpose }: InventoryRow): View['purpose'] {
  if (ownerKind === 'certificate' || ownerKind === 'access-certificate') return 'certificate'
  if (ownerKind === 'did') return 'did'
  return useOf(purpose)
}

function useOf(purpose: KeyPurpose): View['purpose'] {
  const use = keyUseNames.find((name) => keyPurposes[name] === purpose)
  if (use === undefined) throw new Error(`a tenant has no keys of the purpose ${purpose}`)
  return use
}

function partOf({ ownerKind, certificateKind, purpose, algorithm }: InventoryRow): KeyPart {
  if (ownerKind === 'access-certificate') return accessKeyPart
  return certificateKind ? partOfCertificate(certificateKind) : partOfKey({ purpose, algorithm })
}
