import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Resolves names below `localhost` to this computer (RFC 6761, section 6.3), because some systems resolve only `localhost`. The tenants of
 * a service at `localhost:3000` have such names.
 */
export function resolveLocalhostNames(): void {
  for (const resolver of [dns, dns.promises]) {
    const { lookup } = resolver
    const ofHost = (hostname: string, ...rest: unknown[]) =>
      Reflect.apply(lookup, resolver, [hostname.endsWith('.localhost') ? 'localhost' : hostname, ...rest])
    Object.assign(resolver, { lookup: ofHost })
  }
  syncBuiltinESMExports()
}
