import { withDefaults } from '../../with-defaults.ts'
import type { CommonSettings, FlatSettings, MobileSettings, WebSemanticSettings } from './profile-settings.ts'

/**
 * What a credential profile is, for every tier. What one tier does for a profile stands in a table of that tier, by the
 * same names: its wire schemas and its metadata in api/, its signer in workers/signing/formats/signers.ts. A new profile is
 * a row here, and the compiler asks for a row in each of those.
 */
interface ProfileFacts {
  /** The credential format identifier (protocol: where the interface and the standard part). */
  format: string
  /** Of the key of the tenant's DID that signs; absent where the tenant's document signer does. */
  keyAlgorithm?: 'ES256' | 'Ed25519'
  /** `credential_signing_alg_values_supported` (OpenID4VCI 1.0, section 12.2.4): COSE integers or suite names. */
  signingAlgorithms: readonly (number | string)[]
  /** The same as drafts before 13 named it. */
  legacySuites: readonly string[]
  /** Where in the credential its claims stand, as a claims path begins. */
  claimRoot: readonly string[]
  /** Whether types are unique over all configurations of profiles that say so: verifiers tell such credentials apart by type alone. */
  hasUniqueTypes: boolean
  /** Whether a JSON-LD processor reads the claims, which not every name and value survives. */
  isJsonLd: boolean
  /** Makes the settings of a configuration of what is stored: what older versions did not store is added. */
  readSettings(stored: object): CommonSettings
}

const missingSettings = { claimMappings: {}, revocable: false }

/** COSE algorithm identifier of ES256 (RFC 9053, section 2.1). */
const coseEs256 = -7

const cwt = {
  keyAlgorithm: 'ES256',
  signingAlgorithms: [coseEs256],
  legacySuites: ['ES256'],
  hasUniqueTypes: true,
  isJsonLd: false,
  readSettings: withDefaults<FlatSettings>(missingSettings),
} as const

export const profiles = {
  compact: { ...cwt, format: 'cwt', claimRoot: [] },
  'compact-semantic': { ...cwt, format: 'cwt_vc', claimRoot: ['credentialSubject'] },
  'web-semantic': {
    format: 'ldp_vc',
    keyAlgorithm: 'Ed25519',
    signingAlgorithms: ['Ed25519Signature2018'],
    legacySuites: ['Ed25519Signature2018'],
    claimRoot: ['credentialSubject'],
    hasUniqueTypes: false,
    isJsonLd: true,
    readSettings: withDefaults<WebSemanticSettings>({
      ...missingSettings,
      proofType: 'Ed25519Signature2018',
      persist: false,
    }),
  },
  mobile: {
    format: 'mso_mdoc',
    signingAlgorithms: [coseEs256],
    legacySuites: ['ES256'],
    claimRoot: [],
    hasUniqueTypes: false,
    isJsonLd: false,
    readSettings: withDefaults<MobileSettings>({ claimMappings: {}, includeStatus: false }),
  },
} as const satisfies Record<string, ProfileFacts>

export type CredentialProfile = keyof typeof profiles
/** The profiles whose issuer is the tenant's DID. */
export type DidProfile = Exclude<CredentialProfile, 'mobile'>
// Boundary: the table has no other keys.
export const credentialProfiles = Object.keys(profiles) as CredentialProfile[]
export type CredentialFormat = (typeof profiles)[CredentialProfile]['format']

export type SettingsOf<Profile extends CredentialProfile> = ReturnType<(typeof profiles)[Profile]['readSettings']>

/** A thing of one of these profiles: who asks which one it is knows its settings too. */
export type OfProfile<Thing, Profile extends CredentialProfile = CredentialProfile> = {
  [Each in Profile]: Omit<Thing, 'profile' | 'settings'> & { profile: Each; settings: SettingsOf<Each> }
}[Profile]

/** Reads the settings that are stored with a thing, by its profile. */
export function withSettings<Profile extends CredentialProfile, Thing extends { profile: Profile; settings: object }>(
  thing: Thing & { profile: Profile },
): OfProfile<Thing, Profile> {
  const { profile, settings, ...rest } = thing
  return { ...rest, profile, settings: readProfileSettings(profile, settings) }
}

/** The settings of a profile, of what was stored, or of what was sent and found right. */
export function readProfileSettings<Profile extends CredentialProfile>(
  profile: Profile,
  stored: object,
): SettingsOf<Profile> {
  const readers: { [Each in CredentialProfile]: { readSettings(stored: object): SettingsOf<Each> } } = profiles
  return readers[profile].readSettings(stored)
}
