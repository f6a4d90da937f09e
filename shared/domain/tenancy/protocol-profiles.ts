/** The profiles of the protocol. Each selects what a tenant or a view requires of wallets. */
export const protocolProfiles = ['standard', 'haip', 'eudi', 'lenient'] as const

export type ProtocolProfile = (typeof protocolProfiles)[number]

/** Returns whether a profile requires HAIP 1.0. The profile `eudi` requires it, and what ETSI TS 119 472-3 adds. */
export function followsHaip(profile: ProtocolProfile): boolean {
  return profile === 'haip' || profile === 'eudi'
}
