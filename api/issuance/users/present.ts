import type { CredentialRow } from '../../../db/repos/issuance/issuances.ts'
import type { User } from '../../../db/repos/issuance/users/users.ts'
import { isClaimsReader } from '../../access/shown-to.ts'
import type { Caller } from '../../access/subjects.ts'

/** Presents a user. A caller that cannot read claims gets none. */
export function presentUser(
  { id, claims, providerId, providerUrl, subjectId, label }: User,
  { caller }: { caller?: Caller },
) {
  const user = { id, claims: isClaimsReader(caller) ? claims : {}, ...(label !== null && { label }) }
  if (providerId === null || subjectId === null) return user
  return {
    ...user,
    authenticationProvider: { providerId, ...(providerUrl === null ? {} : { url: providerUrl }), subjectId },
  }
}

export function presentCredentialRecord(row: CredentialRow) {
  return {
    id: row.id,
    type: row.type,
    profile: row.profile,
    ...(row.offerId === null ? {} : { offerId: row.offerId }),
    sessionId: row.sessionId,
    credentialConfigurationId: row.configurationId,
    ...(row.devicePublicKey && { devicePublicKey: row.devicePublicKey }),
    issuedDate: row.issuedAt.toISOString(),
    validFrom: row.validFrom.toISOString(),
    ...(row.validUntil ? { validUntil: row.validUntil.toISOString() } : {}),
    ...(row.signerId === null ? {} : { signerId: row.signerId }),
    ...(row.viewId === null ? {} : { view: row.viewId }),
    ...(row.namespaces && { namespaces: row.namespaces }),
    ...(row.msoHash === null ? {} : { msoHash: row.msoHash }),
    status: row.status,
  }
}

export function presentIssuedCredential(row: CredentialRow, revocable: ReadonlySet<string>) {
  return { ...presentCredentialRecord(row), isRevocable: revocable.has(row.id), userId: row.userId }
}

/** Presents a user without the claims. */
export function presentUserWithoutClaims(user: User) {
  const { claims: _claims, ...rest } = presentUser(user, {})
  return rest
}
