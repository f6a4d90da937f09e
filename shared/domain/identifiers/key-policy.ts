import type { CertificateKind } from '../../formats/x509/profiles.ts'

/** The parts of a tenant whose keys can be in different providers. `default` is for all other keys. */
export const keyParts = [
  'default',
  'certificateAuthorities',
  'documentSigners',
  'listSigners',
  'tokens',
  'dids',
  'messages',
] as const

export type KeyPart = (typeof keyParts)[number]

/** Where the new keys of a tenant are: a provider for each part. A part without one has that of `default`. */
export type KeyPolicy = { readonly [Part in KeyPart]?: string }

/** The decisions of the platform for all tenants. */
export interface PlatformKeyPolicy {
  /** The provider of tenants without a `default`. */
  readonly provider: string
  /** The parts whose keys must not be software keys. */
  readonly requireHardware: readonly KeyPart[]
}

/** The provider of keys whose rows have the private key, wrapped. */
export const softwareProvider = 'software'

/** `software`, `pkcs11`, or `remote:` and the name of a remote signer. */
export const keyProviderPattern = /^(software|pkcs11|remote:[a-z0-9][a-z0-9-]{0,39})$/

/** Returns the provider of a new key. */
export function providerOf(part: KeyPart, policy: KeyPolicy, platform: PlatformKeyPolicy): string {
  return policy[part] ?? policy.default ?? platform.provider
}

/** Returns the parts for which a policy has software keys although the platform requires hardware. */
export function weakenedParts(policy: KeyPolicy, platform: PlatformKeyPolicy): KeyPart[] {
  return platform.requireHardware.filter((part) => providerOf(part, policy, platform) === softwareProvider)
}

/** Returns the part of a key of a tenant or of a DID. */
export function partOfKey({ purpose, algorithm }: { purpose: string; algorithm: string }): KeyPart {
  if (purpose === 'encryption' || algorithm === 'X25519') return 'messages'
  if (purpose === 'did') return 'dids'
  return purpose === 'token' ? 'tokens' : 'default'
}

/** The part of the keys of access certificates, which sign issuer metadata. */
export const accessKeyPart: KeyPart = 'documentSigners'

/** Returns the part of the key of a certificate. */
export function partOfCertificate(kind: CertificateKind): KeyPart {
  if (kind === 'iaca' || kind === 'ecosystem-ca') return 'certificateAuthorities'
  return kind === 'document-signer' || kind === 'sd-jwt-signer' ? 'documentSigners' : 'listSigners'
}
