import type { HolderApplicationRow } from '../../../db/repos/issuance/holder-applications.ts'
import type { HolderInstanceRow } from '../../../db/repos/issuance/holder-instances.ts'

export function presentApplication({ id, type, name, settings }: HolderApplicationRow) {
  return { id, type, name, ...settings }
}

export function presentInstance(row: HolderInstanceRow) {
  const { id, appAttestationType, publicJwk, deviceDetails, sdkDetails, createdAt, lastAttestedAt } = row
  return {
    id,
    appAttestationType,
    registeredAt: createdAt.toISOString(),
    ...(lastAttestedAt && { lastAttestedAt: lastAttestedAt.toISOString() }),
    publicKeyJwk: { ...publicJwk },
    deviceDetails,
    sdkDetails,
  }
}
