import { Resolver } from 'node:dns/promises'

/** Answers a host name with its IPv4 and IPv6 addresses; rejects when there is none. */
export type ResolveHost = (host: string) => Promise<readonly string[]>

/**
 * A resolver that asks the configured name servers, not getaddrinfo: a hostile name server that never answers would
 * otherwise occupy one of libuv's few threads, and with it the deliveries of every other tenant.
 */
export function createResolver(): ResolveHost {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 })
  return async function resolveHost(host) {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}
