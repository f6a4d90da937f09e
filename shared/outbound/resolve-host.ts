import { Resolver } from 'node:dns/promises'

/** Returns the IPv4 and IPv6 addresses of a host name. Rejects if there are none. */
export type ResolveHost = (host: string) => Promise<readonly string[]>

/**
 * Creates a resolver that queries the configured name servers itself. With getaddrinfo, a hostile name server that never answers would
 * block one of the few threads of libuv, and with it the deliveries of all tenants.
 */
export function createResolver(): ResolveHost {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 })
  return async function resolveHost(host) {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}
