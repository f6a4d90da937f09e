import type { IdentifierRow, ParticipantRow } from '../../../db/repos/ecosystems/participants.ts'
import type { DidProfile } from '../../../shared/domain/issuance/profiles.ts'
import { wrongField } from '../../../shared/errors/errors.ts'
import { fingerprintOf } from '../../../shared/formats/certificate.ts'

/** Returns the rows with the DIDs of a participant. Certificates have their own rows (identifier-certificates.ts). */
export function didsOf({ id, tenantId, ecosystemId, identifiers }: ParticipantRow): IdentifierRow[] {
  const { mobile, ...dids } = identifiers
  // Boundary: the schema allows only these profiles.
  return Object.entries(dids).map(([profile, identifier]) => {
    return { tenantId, ecosystemId, participantId: id, profile: profile as DidProfile, identifier }
  })
}

/**
 * Returns the fingerprint of an identifier: a certificate in PEM, or its SHA-256 fingerprint with or without colons. Throws
 * `bad_request`.
 */
export function fingerprintFrom(identifier: string): string {
  const fingerprint = identifier.includes('-----BEGIN')
    ? fingerprintOf(identifier)
    : identifier.replaceAll(':', '').toLowerCase()
  if (fingerprint === undefined || !/^[0-9a-f]{64}$/.test(fingerprint))
    throw wrongField('identifier', 'Must be one certificate in PEM or its SHA-256 fingerprint in hex', identifier)
  return fingerprint
}
