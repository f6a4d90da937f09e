import { lookup } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'

/** Returns whether a host name leads to this machine. */
export async function isOnThisMachine({ hostname }: URL): Promise<boolean> {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true
  const own = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? [])
  const addresses = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => [])
  return addresses.some(({ address }) => own.includes(address) || address === '::1' || address.startsWith('127.'))
}
