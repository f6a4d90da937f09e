import { withDefaults } from '../../with-defaults.ts'
import type {
  CommonSettings,
  FlatSettings,
  MobileSettings,
  SdJwtSettings,
  WebSemanticSettings,
} from './profile-settings.ts'

/**
 * The properties of a credential profile that several parts of the service use. Other parts have tables with the same keys: the wire
 * schemas and metadata in api/, and the signers in workers/signing/formats/signers.ts. For a new profile, add a row here. The compiler
 * then requires a row in each other table.
 */
interface ProfileFacts {
  /** The credential format identifier (protocol: differences between the interface and the standard). */
  format: string
  /** The algorithm of the DID key that signs. Absent if a certificate of the tenant signs. */
  keyAlgorithm?: 'ES256' | 'Ed25519'
  /** `credential_signing_alg_values_supported` (OpenID4VCI 1.0, section 12.2.4): COSE integers or suite names. */
  signingAlgorithms: readonly (number | string)[]
  /** The names of the algorithms in drafts before 13. */
  legacySuites: readonly string[]
  /** The start of all claim paths in the credential. */
  claimRoot: readonly string[]
  /** Whether the type is unique among all configurations of such profiles. Verifiers distinguish such credentials only by type. */
  hasUniqueTypes: boolean
  /** Whether a JSON-LD processor reads the claims. It does not accept every name and value. */
  isJsonLd: boolean
  /** Reads stored settings, and adds defaults for members that older versions did not store. */
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
  'sd-jwt': {
    format: 'dc+sd-jwt',
    signingAlgorithms: ['ES256'],
    legacySuites: [],
    claimRoot: [],
    hasUniqueTypes: false,
    isJsonLd: false,
    readSettings: withDefaults<SdJwtSettings>({
      ...missingSettings,
      includeIssuer: false,
      keyBinding: true,
      disclose: 'always',
      decoys: { upTo: 0 },
      includeStatus: false,
      persist: false,
      roundTimesTo: 'day',
    }),
  },
} as const satisfies Record<string, ProfileFacts>

export type CredentialProfile = keyof typeof profiles
/** The profiles that certificates of the tenant sign. Their credentials have token status lists. */
export const certifiedProfiles = ['mobile', 'sd-jwt'] as const
export type CertifiedProfile = (typeof certifiedProfiles)[number]
/** The profiles whose issuer is the tenant's DID. */
export type DidProfile = Exclude<CredentialProfile, CertifiedProfile>
// Boundary: the table has no other keys.
export const credentialProfiles = Object.keys(profiles) as CredentialProfile[]
/** The profiles that operators can have signed directly. */
export type SignableProfile = DidProfile | 'sd-jwt'

export function isCertifiedProfile(profile: CredentialProfile): profile is CertifiedProfile {
  return !('keyAlgorithm' in profiles[profile])
}

export type SettingsOf<Profile extends CredentialProfile> = ReturnType<(typeof profiles)[Profile]['readSettings']>

/** An object with a profile. A check of `profile` narrows the type of `settings`. */
export type OfProfile<Thing, Profile extends CredentialProfile = CredentialProfile> = {
  [Each in Profile]: Omit<Thing, 'profile' | 'settings'> & { profile: Each; settings: SettingsOf<Each> }
}[Profile]

/** Reads the stored settings of an object by its profile. */
export function withSettings<Profile extends CredentialProfile, Thing extends { profile: Profile; settings: object }>(
  thing: Thing & { profile: Profile },
): OfProfile<Thing, Profile> {
  const { profile, settings, ...rest } = thing
  return { ...rest, profile, settings: readProfileSettings(profile, settings) }
}

/** Reads the settings of a profile from a stored row or a validated request. */
export function readProfileSettings<Profile extends CredentialProfile>(
  profile: Profile,
  stored: object,
): SettingsOf<Profile> {
  const readers: { [Each in CredentialProfile]: { readSettings(stored: object): SettingsOf<Each> } } = profiles
  return readers[profile].readSettings(stored)
}

/** Returns whether each credential of a configuration is bound to a key of the holder. */
export function isKeyBound(configuration: OfProfile<object>): boolean {
  return configuration.profile !== 'sd-jwt' || configuration.settings.keyBinding
}

/** Returns whether the credentials of a configuration are stored whole. */
export function isStored({ settings }: OfProfile<object>): boolean {
  return 'persist' in settings && settings.persist
}

/** Returns whether each credential of a configuration has an entry in a status list. */
export function isRevocable(configuration: OfProfile<object>): boolean {
  const { profile, settings } = configuration
  if (profile === 'mobile') return settings.includeStatus
  if (profile === 'sd-jwt') return settings.includeStatus || settings.revocable
  return settings.revocable
}
