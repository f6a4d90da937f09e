import ipaddr from 'ipaddr.js'
import type { Context } from 'koa'
import { LRUCache } from 'lru-cache'

type Range = [base: ipaddr.IPv4 | ipaddr.IPv6, bits: number]

/** Caches the evaluated client addresses. Parsing an address takes longer than routing a request. */
interface AddressCache {
  ranges: Range[]
  trusted: LRUCache<string, boolean>
  networks: LRUCache<string, string>
}

/** The caches by the list of trusted proxies. A process has one list, and the cached values depend on nothing else. */
const addressCaches = new WeakMap<readonly string[], AddressCache>()
const maxAddresses = 1_000

function addressCacheFor(proxies: readonly string[]): AddressCache {
  const existing = addressCaches.get(proxies)
  if (existing) return existing
  const options = { max: maxAddresses }
  const created = {
    ranges: proxies.map(rangeOf),
    trusted: new LRUCache<string, boolean>(options),
    networks: new LRUCache<string, string>(options),
  }
  addressCaches.set(proxies, created)
  return created
}

/** Whether the address is a trusted proxy, so that its `X-Forwarded-*` headers are used. */
export function isTrusted(address: string | undefined, proxies: readonly string[]): boolean {
  if (!address || proxies.length === 0) return false
  const { ranges, trusted } = addressCacheFor(proxies)
  const cached = trusted.get(address)
  if (cached !== undefined) return cached
  const peer = ipaddr.process(address)
  const isOne = ranges.some(([base, bits]) => base.kind() === peer.kind() && peer.match(base, bits))
  trusted.set(address, isOne)
  return isOne
}

function rangeOf(proxy: string): Range {
  if (proxy.includes('/')) return ipaddr.parseCIDR(proxy)
  const base = ipaddr.process(proxy)
  return [base, base.kind() === 'ipv4' ? 32 : 128]
}

/**
 * Returns the client address for rate limits: the last address before the trusted proxies, read from `X-Forwarded-For` from right
 * to left. For IPv6 it returns the first 64 bits, because one home or office connection usually has a /64 network.
 */
export function clientAddressOf(
  { req, headers }: Pick<Context, 'req' | 'headers'>,
  proxies: readonly string[],
): string {
  let address = req.socket.remoteAddress ?? ''
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',')
  while (forwarded.length > 0 && isTrusted(address, proxies)) {
    const before = readAddress(forwarded.pop() ?? '')
    if (!before) break // the entry is not an address: use the address of the proxy that wrote it
    address = before
  }
  const { networks } = addressCacheFor(proxies)
  const network = networks.get(address) ?? networkOf(address)
  networks.set(address, network)
  return network
}

/** Parses an entry of `X-Forwarded-For`. Some proxies append the port. */
function readAddress(text: string): string | undefined {
  const trimmed = text.trim()
  const bare = /^\[(.*)\](:\d+)?$/.exec(trimmed)?.[1] ?? /^([\d.]+):\d+$/.exec(trimmed)?.[1] ?? trimmed
  return ipaddr.isValid(bare) ? bare : undefined
}

function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const parsed = ipaddr.process(address) // converts an IPv4-mapped IPv6 address to IPv4
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
