import type { X509Certificate } from 'node:crypto'
import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { PublishedMetadata } from '../metadata/schemas.ts'

/** The evidence of the checks: documents that wallets get, certificates that sign, and settings of the tenant. */
export interface Evidence {
  tenant: Pick<Tenant, 'issuer' | 'profile' | 'settings'>
  metadata: PublishedMetadata
  configurations: readonly ConfigurationRow[]
  /** The number of sign-in providers. */
  providers: number
  /** The number of wallet providers. */
  walletProviders: number
  /** Whether a registered wallet has root certificates of its own. */
  hasAttestedWallet: boolean
  signedMetadata: SignedMetadata
  /** The signers of SD-JWT VCs that the configurations use. */
  sdJwtSigners: readonly SdJwtSigner[]
  registered: { /** The fingerprint of the access certificate that signs the metadata. */ access: string | undefined }
  /** The `x5c` of the newest published list of SD-JWT VCs. Undefined without a list. */
  statusChain: readonly X509Certificate[] | undefined
}

/** The header of the signed metadata. */
export interface SignedMetadata {
  typ: string | undefined
  /** Empty without `x5c`. */
  chain: readonly X509Certificate[]
}

export interface SdJwtSigner {
  /** The authority that a configuration names. Undefined for any active authority. */
  caId: string | undefined
  /** Undefined before the first signature. */
  certificate: X509Certificate | undefined
}

/**
 * `toBeTested`: the requirement is about messages or people that the service does not see, so that only a test from outside can show
 * whether it is met.
 */
export const states = ['met', 'notMet', 'notApplicable', 'toBeTested'] as const

/** The result of a check. `lookedAt` names what was looked at, with its value. */
export interface Finding {
  state: (typeof states)[number]
  lookedAt: string
}

/** A requirement of HAIP 1.0 for credential issuers, their authorization server or their credentials. */
export interface Requirement {
  clause: string
  /** `should`: recommended. A tenant conforms without it. */
  level: 'must' | 'should'
  text: string
  check(evidence: Evidence): Finding
  /** The change that the operator makes if it is not met. Absent if the service itself meets it for every tenant. */
  change?: string
  /** How to test it from outside, if it can be `toBeTested`. */
  test?: string
}

export function looked(isMet: boolean, lookedAt: string): Finding {
  return { state: isMet ? 'met' : 'notMet', lookedAt }
}

export function notApplicable(lookedAt: string): Finding {
  return { state: 'notApplicable', lookedAt }
}

export function toBeTested(lookedAt = 'Nothing: the service does not see it'): Finding {
  return { state: 'toBeTested', lookedAt }
}

/** Describes a member of a metadata document. */
export function memberText(name: string, value: unknown): string {
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? 'absent')
  return `${name} of the metadata: ${text || 'empty'}`
}

/** HAIP 1.0: a chain in `x5c` has no trust anchor, and its first certificate is not self-signed. */
export function chainWithoutAnchor(chain: readonly X509Certificate[], what: string): Finding {
  const selfSigned = chain.filter((certificate) => certificate.checkIssued(certificate))
  return looked(
    selfSigned.length === 0,
    `${what}: ${chain.length} certificates, ${selfSigned.length} of them self-signed`,
  )
}
