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

// Cloud metadata services have private or link-local addresses. Only Azure's has a public address.
const METADATA = new Set(['168.63.129.16'])

// RFC 4291, section 2.4, and IANA's allocation: 2000::/3. This excludes ::/96 (IPv4-compatible) and unassigned ranges.
function isGlobalUnicast(address: ipaddr.IPv6): boolean {
  return ((address.parts[0] ?? 0) & 0xe000) === 0x2000
}
