import { lookup } from 'node:dns/promises'
import { BlockList, isIPv6 } from 'node:net'
import { countOf } from '../../count-of.ts'
import { textOfError } from '../../text-of-error.ts'
import { checkTls } from '../connection-checks.ts'
import { failedCheck, passedCheck, warnedCheck } from '../finding.ts'
import type { GoLive } from './go-live.ts'
import { findTenants } from './tenants.ts'

/** More hosts than these are not checked. */
const maxHosts = 100

/** The addresses of private networks (RFC 1918, RFC 4193), of this machine and of links. */
const privateAddresses = new BlockList()
for (const [network, bits] of [
  ...([
    ['10.0.0.0', 8],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
  ] as const),
])
  privateAddresses.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  privateAddresses.addSubnet(network, bits, 'ipv6')

/** Checks that each host leads to public addresses. */
export async function checkPublicDns(goLive: GoLive) {
  const urls = await findUrls(goLive)
  const findings = await Promise.all(
    urls.map(async ({ hostname }) => {
      const addresses = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => [])
      if (addresses.length === 0) return failedCheck(`${hostname} has no address. Add a record to the DNS`)
      const own = addresses.find(({ address }) => privateAddresses.check(address, isIPv6(address) ? 'ipv6' : 'ipv4'))
      return own && warnedCheck(`${hostname} is ${own.address}, which phones in other networks cannot reach`)
    }),
  )
  const problems = findings.filter((finding) => finding !== undefined)
  return problems.length > 0 ? problems : passedCheck(`${countOf(urls.length, 'host')} with public addresses`)
}

/** Checks that each host has https, with a certificate that a client accepts and that does not end soon. */
export async function checkPublicTls(goLive: GoLive) {
  const urls = await findUrls(goLive)
  const findings = await Promise.all(
    urls.map(async (url) => {
      if (url.protocol !== 'https:') return failedCheck(`${url.origin} is not https. Wallets and browsers refuse it`)
      return checkTls(url).catch((error) => failedCheck(`${url.host}: ${textOfError(error)}`))
    }),
  )
  const problems = findings.filter(({ status }) => status !== 'ok')
  return problems.length > 0 ? problems : passedCheck(`${countOf(urls.length, 'host')} with certificates`)
}

/** Returns the addresses of all tenants, also of their aliases, to a client of the platform. Otherwise that of the profile. */
async function findUrls({ client, baseUrl }: GoLive): Promise<URL[]> {
  const tenants = (await findTenants(client)) ?? []
  const urls = tenants.flatMap((tenant) => {
    const { protocol } = new URL(tenant.baseUrl)
    return [tenant.baseUrl, ...tenant.aliases.map((host) => `${protocol}//${host}`)]
  })
  return [...new Set([baseUrl, ...urls])].slice(0, maxHosts).map((url) => new URL(url))
}
