import dns from 'node:dns'

/**
 * Resolves names below `localhost` to this computer (RFC 6761, section 6.3), because some systems resolve only `localhost`. The tenants of
 * a service at `localhost:3000` have such names.
 */
export function resolveLocalhostNames(): void {
  const systemLookup = dns.lookup
  const lookup = (hostname: string, ...rest: unknown[]) =>
    Reflect.apply(systemLookup, dns, [hostname.endsWith('.localhost') ? 'localhost' : hostname, ...rest])
  Object.assign(dns, { lookup })
}
