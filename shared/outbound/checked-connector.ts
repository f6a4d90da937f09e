import { isIPv6, type LookupFunction } from 'node:net'
import { LRUCache } from 'lru-cache'
import { buildConnector } from 'undici'
import { agesBy, type Clock } from '../clock.ts'
import { ipLiteral, isLocalhostName } from './check-outbound-url.ts'
import { classifyAddress, isPrivateAddress } from './classify-address.ts'
import { OutboundError } from './outbound-error.ts'
import type { ResolveHost } from './resolve-host.ts'

export interface ConnectorOptions {
  allowLoopback: boolean
  allowOrigins: readonly string[]
  /** Allows addresses of own networks and of this machine. The caller has checked the origin. */
  allowPrivate?: boolean
  /** The certificates of the server's issuer and of this client, in PEM. */
  tls?: ClientTls | undefined
  resolve: ResolveHost
  /** The clock for the expiry of cached addresses. */
  clock: Clock
}

export interface ClientTls {
  ca?: string
  cert?: string
  key?: string
}

type Address = { address: string; family: 4 | 6 }

const CONNECT_TIMEOUT_MS = 5_000
const CACHE_MS = 30_000
const FAILURE_CACHE_MS = 2_000
const CACHED_HOSTS = 10_000

/**
 * Opens sockets only to addresses that were checked when the host was resolved. A second answer of the name server therefore cannot
 * bypass the check. A connection that is kept alive stays on its address.
 */
export function createConnector(options: ConnectorOptions): buildConnector.connector {
  const { allowLoopback, allowOrigins, allowPrivate = false, tls = {} } = options
  const connect = buildConnector({
    ...tls,
    lookup: createLookup(options),
    timeout: CONNECT_TIMEOUT_MS,
    autoSelectFamily: true,
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED=0 would otherwise disable it.
    rejectUnauthorized: true,
  })
  return function connectChecked(target, callback) {
    // The lookup function is not called for an IP literal.
    const literal = ipLiteral(target.hostname)
    const isAllowed = allowOrigins.includes(`${target.protocol}//${target.host}`)
    if (literal !== undefined && !mayConnect(literal, { allowLoopback: allowLoopback || isAllowed, allowPrivate })) {
      return callback(new OutboundError('refused_address'), null)
    }
    connect(target, callback)
  }
}

function createLookup({ resolve, allowLoopback, allowPrivate = false, clock }: ConnectorOptions): LookupFunction {
  const cache = new LRUCache<string, Promise<Address[]>>({
    max: CACHED_HOSTS,
    ttl: CACHE_MS,
    perf: agesBy(clock),
  })

  function findAddresses(host: string): Promise<Address[]> {
    const cachedAddresses = cache.get(host)
    if (cachedAddresses) return cachedAddresses
    const addresses = resolveChecked(host, resolve, { allowLoopback, allowPrivate })
    cache.set(host, addresses)
    addresses.catch(() => cache.set(host, addresses, { ttl: FAILURE_CACHE_MS }))
    return addresses
  }

  return function lookup(host, options, callback) {
    findAddresses(host).then(
      (addresses) => {
        const [first] = addresses
        if (options.all || !first) return callback(null, addresses)
        callback(null, first.address, first.family)
      },
      (error) => callback(error, []),
    )
  }
}

/** Refuses the host if one of its addresses is refused. Otherwise the name server could choose which address is used. */
async function resolveChecked(host: string, resolve: ResolveHost, rules: AddressRules): Promise<Address[]> {
  const addresses = isLocalhostName(host) ? ['127.0.0.1', '::1'] : await resolve(host).catch(() => [])
  if (addresses.length === 0) throw new OutboundError('dns')
  if (!addresses.every((address) => mayConnect(address, rules))) throw new OutboundError('refused_address')
  return addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
}

type AddressRules = Required<Pick<ConnectorOptions, 'allowLoopback' | 'allowPrivate'>>

function mayConnect(address: string, { allowLoopback, allowPrivate }: AddressRules): boolean {
  const kind = classifyAddress(address)
  if (allowPrivate && (kind === 'loopback' || isPrivateAddress(address))) return true
  return kind === 'public' || (allowLoopback && kind === 'loopback')
}
