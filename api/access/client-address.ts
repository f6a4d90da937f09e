import ipaddr from 'ipaddr.js'
import type { Context } from 'koa'
import { LRUCache } from 'lru-cache'

type Range = [base: ipaddr.IPv4 | ipaddr.IPv6, bits: number]

/** What was found out of addresses that ask again and again: reading one takes longer than routing a request. */
interface Read {
  ranges: Range[]
  trusted: LRUCache<string, boolean>
  networks: LRUCache<string, string>
}

/** By the list of proxies itself, of which a process has one: what is read follows from it alone. */
const read = new WeakMap<readonly string[], Read>()
const mostAddresses = 1_000

function readFor(proxies: readonly string[]): Read {
  const known = read.get(proxies)
  if (known) return known
  const most = { max: mostAddresses }
  const made = {
    ranges: proxies.map(rangeOf),
    trusted: new LRUCache<string, boolean>(most),
    networks: new LRUCache<string, string>(most),
  }
  read.set(proxies, made)
  return made
}

/** Whether what this address says of others (`X-Forwarded-*`) is believed. */
export function isTrusted(address: string | undefined, proxies: readonly string[]): boolean {
  if (!address || proxies.length === 0) return false
  const { ranges, trusted } = readFor(proxies)
  const known = trusted.get(address)
  if (known !== undefined) return known
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
 * Who a request is counted for: the last address before the trusted proxies, as `X-Forwarded-For` has it from right to left.
 * Of IPv6 the first 64 bits, which is what one connection of a home or an office is given.
 */
export function clientAddressOf(
  { req, headers }: Pick<Context, 'req' | 'headers'>,
  proxies: readonly string[],
): string {
  let address = req.socket.remoteAddress ?? ''
  const told = String(headers['x-forwarded-for'] ?? '').split(',')
  while (told.length > 0 && isTrusted(address, proxies)) {
    const before = readAddress(told.pop() ?? '')
    if (!before) break // whoever wrote this is the last that can be named
    address = before
  }
  const { networks } = readFor(proxies)
  const network = networks.get(address) ?? networkOf(address)
  networks.set(address, network)
  return network
}

/** Some proxies add the port. */
function readAddress(text: string): string | undefined {
  const trimmed = text.trim()
  const bare = /^\[(.*)\](:\d+)?$/.exec(trimmed)?.[1] ?? /^([\d.]+):\d+$/.exec(trimmed)?.[1] ?? trimmed
  return ipaddr.isValid(bare) ? bare : undefined
}

function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const parsed = ipaddr.process(address) // an IPv4 address in IPv6's clothes is one
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
