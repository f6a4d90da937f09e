import { lookup, NODATA, NOTFOUND, Resolver } from 'node:dns/promises'

/** Returns the IPv4 and IPv6 addresses of a host name. Rejects if there are none. */
export type ResolveHost = (host: string) => Promise<readonly string[]>

/** The codes by which a name server says that there is no address. */
const codesOfAbsence: unknown[] = [NODATA, NOTFOUND]

/**
 * Creates a resolver that queries the configured name servers itself. With getaddrinfo, a hostile name server that never answers would
 * block one of the few threads of libuv, and with it the deliveries of all tenants.
 *
 * A `Resolver` reads the configured name servers once and remembers which of them fail. After a query that no name server answered, the
 * next query reads the configuration again, because it may have changed.
 */
export function createResolver(): ResolveHost {
  let resolver = newResolver()
  return async function resolveHost(host) {
    const used = resolver
    const answers = await Promise.allSettled([used.resolve4(host), used.resolve6(host)])
    const isUnanswered = answers.every(
      (answer) => answer.status === 'rejected' && !codesOfAbsence.includes(answer.reason?.code),
    )
    if (isUnanswered && used === resolver) resolver = newResolver()
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}

/**
 * Resolves as the machine does, with its hosts file and search domains. For the few hosts that the settings of the platform name: each call
 * takes one of the few threads of libuv.
 */
export const resolveBySystem: ResolveHost = async (host) => {
  const addresses = await lookup(host, { all: true })
  return addresses.map(({ address }) => address)
}

function newResolver(): Resolver {
  return new Resolver({ timeout: 1_000, tries: 2 })
}
