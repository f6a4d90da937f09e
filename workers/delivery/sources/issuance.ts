import { findIssued, findIssuedCredential } from '../../../db/repos/issuance/credentials.ts'
import type { IssuedCredential } from '../../../db/tables/issuance/issuances.ts'
import type { FannedOutSource } from './source.ts'

/** Events of an issuance. Each event is about one of its credentials. */
export const issuance: FannedOutSource = {
  async findEvents(db, tenantId, issuanceIds) {
    const issued = await findIssued(db, tenantId, issuanceIds)
    return issued.map(({ issuanceId: subjectId, credentialId: objectId, issuedAt: at }) => ({
      subjectId,
      objectId,
      at,
    }))
  },
  async payloadOf({ db, openIssued }, { tenantId, kind, objectId }) {
    const found = objectId === null ? undefined : await findIssuedCredential(db, tenantId, objectId)
    if (!found?.issued) return undefined
    const content = openIssued(found.issuanceId, found.issued).find(({ id }) => id === objectId)
    return content && payloadOf(found, content, kind === 'OpenIdCredentialIssued')
  },
}

function payloadOf(
  {
    userId,
    profile,
    configurationId,
    offerId,
    sessionId,
  }: NonNullable<Awaited<ReturnType<typeof findIssuedCredential>>>,
  { id, format, credential }: IssuedCredential,
  withCredential: boolean,
) {
  return {
    format,
    userId,
    credentialProfile: profile,
    credentialConfigurationId: configurationId,
    credentialId: id,
    credentialOfferId: offerId,
    sessionId,
    ...(withCredential ? { credential } : {}),
  }
}
