import type { IdentifierRow, ParticipantRow } from '../../../db/repos/ecosystems/participants.ts'
import { wrongField } from '../../../shared/errors.ts'
import { fingerprintOf } from '../../../shared/formats/certificate.ts'
import { type CredentialProfile, credentialProfiles } from '../../../shared/profiles.ts'

/** The identifiers of a participant that count, as they are looked for. */
export function countingIdentifiers({ id, tenantId, ecosystemId, identifiers }: ParticipantRow): IdentifierRow[] {
  return credentialProfiles.flatMap((profile) =>
    valuesOf(identifiers, profile).map((identifier) => ({
      tenantId,
      ecosystemId,
      participantId: id,
      profile,
      identifier,
    })),
  )
}

function valuesOf(identifiers: ParticipantRow['identifiers'], profile: CredentialProfile): string[] {
  const { mobile = [], ...dids } = identifiers
  const values =
    profile === 'mobile'
      ? mobile.filter(({ status }) => status === 'Active').map(({ certificatePem }) => fingerprintOf(certificatePem))
      : [dids[profile]]
  return values.filter((value) => value !== undefined)
}

/**
 * How the identifier of a request is looked for: certificates by their SHA-256 fingerprint, which is taken with and without
 * colons. Throws `bad_request`.
 */
export function identifierAsked(profile: CredentialProfile, identifier: string): string {
  if (profile !== 'mobile') return identifier
  const fingerprint = identifier.includes('-----BEGIN')
    ? fingerprintOf(identifier)
    : identifier.replaceAll(':', '').toLowerCase()
  if (fingerprint === undefined || !/^[0-9a-f]{64}$/.test(fingerprint))
    throw wrongField('identifier', 'Must be one certificate in PEM, or its SHA-256 fingerprint in hex', identifier)
  return fingerprint
}
