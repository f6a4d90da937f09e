import { type CredentialProfile, credentialProfiles } from '../../shared/domain/issuance/profiles.ts'

/** Returns the kind of the configurations of a profile. */
export const configurationKind = (profile: CredentialProfile) => `${profile} configuration` as const

/** The kinds of the configurations of all profiles. */
export const configurationKinds = credentialProfiles.map(configurationKind)
