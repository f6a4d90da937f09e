import { OutboundError } from '../../../shared/outbound/outbound-error.ts'
import type { Deps } from '../../deps.ts'
import type { CachedLogo } from '../caches.ts'

const macUse = 'logo'

/**
 * Returns the path at which this host serves a remote logo, so that visitors of a page do not contact another host. The
 * path contains the URL of the logo and a MAC of the tenant. So a tenant's host only fetches URLs that an operator of
 * this tenant configured.
 */
export function logoAddressOf({ secrets }: Pick<Deps, 'secrets'>, tenantId: string, url: string): string {
  return `/o/logos/${secrets.mac(macUse, `${tenantId} ${url}`)}.${Buffer.from(url).toString('base64url')}`
}

/** Returns the logo of an address. Returns undefined if this service did not create the address, or has no picture for it. */
export async function findLogo(deps: Deps, tenantId: string, key: string): Promise<Required<CachedLogo> | undefined> {
  const [mac = '', encoded = ''] = key.split('.', 2)
  const url = Buffer.from(encoded, 'base64url').toString()
  if (!deps.secrets.isMac(mac, macUse, `${tenantId} ${url}`)) return undefined
  const logo = await deps.withoutSlot(deps.caches.logos.fetch(url, { context: { load: () => load(deps, url) } }))
  return logo?.type === undefined ? undefined : { type: logo.type, bytes: logo.bytes }
}

const timeoutMs = 3_000
const maxBytes = 300_000

/** Loads a logo. The result of a failed load is cached for a shorter time. */
async function load({ outbound }: Deps, url: string): Promise<CachedLogo> {
  const request = { method: 'GET', url, timeoutMs, maxResponseBytes: maxBytes, maxRedirects: 3 } as const
  try {
    const { status, headers, body } = await outbound.request({ ...request, headers: { accept: 'image/*' } })
    const type = status === 200 ? typeOf(body, String(headers['content-type'])) : undefined
    return type === undefined ? noLogo : { type, bytes: body }
  } catch (error) {
    if (error instanceof OutboundError) return noLogo
    throw error
  }
}

const noLogo: CachedLogo = { bytes: Buffer.alloc(0) }

/**
 * Detects the type of a picture by its first bytes and not by its header. Only SVG, which is text, is detected by the
 * header.
 */
function typeOf(bytes: Buffer, said: string): string | undefined {
  const beginning = bytes.subarray(0, 12).toString('latin1')
  if (beginning.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (beginning.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^RIFF.{4}WEBP/s.test(beginning)) return 'image/webp'
  if (/^GIF8[79]a/.test(beginning)) return 'image/gif'
  return /^image\/svg\+xml\b/i.test(said) ? 'image/svg+xml' : undefined
}
