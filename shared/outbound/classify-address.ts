import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Classifies an IP address (canonical text, as a resolver returns it) as public, loopback or refused. All addresses that are not
 * certainly public are refused: private, link-local, carrier-grade NAT, multicast, broadcast, unspecified, reserved and documentation
 * ranges, and all IPv6 addresses that contain an IPv4 address (mapped, 6to4, Teredo, NAT64). Source: the IANA special-purpose address
 * registries (RFC 6890).
 */
export function classifyAddress(address: string): 'public' | 'loopback' | 'refused' {
  if (isIP(address) === 0) return 'refused'
  const parsed = ipaddr.parse(address)
  const range = parsed.range()
  if (range === 'loopback') return 'loopback'
  if (range !== 'unicast' || METADATA.has(address)) return 'refused'
  if (parsed instanceof ipaddr.IPv6 && !isGlobalUnicast(parsed)) return 'refused'
  return 'public'
}

/**
 * Returns whether an address is in an own network: private (RFC 1918), shared (RFC 6598) or unique local (RFC 4193). Link-local addresses
 * are not, and neither are cloud metadata services.
 */
export function isPrivateAddress(address: string): boolean {
  if (isIP(address) === 0 || METADATA.has(address)) return false
  return OWN_RANGES.has(ipaddr.parse(address).range())
}

const OWN_RANGES = new Set(['private', 'carrierGradeNat', 'uniqueLocal'])

// Cloud metadata services have private, link-local or, at Azure, public addresses. Link-local addresses are always refused.
const METADATA = new Set(['168.63.129.16', '100.100.100.200', 'fd00:ec2::254'])

// RFC 4291, section 2.4, and IANA's allocation: 2000::/3. This excludes ::/96 (IPv4-compatible) and unassigned ranges.
function isGlobalUnicast(address: ipaddr.IPv6): boolean {
  return ((address.parts[0] ?? 0) & 0xe000) === 0x2000
}
