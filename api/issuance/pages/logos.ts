import { hourMs, minuteMs } from '../../../shared/clock.ts'
import { OutboundError } from '../../../shared/outbound/outbound-error.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { defineCache } from '../../process/caches.ts'
import { type Picture, pictureTypeOf } from './picture-type.ts'
import { isUploadedLogo, readUploadedLogo } from './uploaded-logos.ts'

const macUse = 'logo'

interface CachedLogo {
  /** The media type. Undefined if the logo could not be loaded. */
  type?: string
  bytes: Buffer
}

interface LogoSource {
  load(): Promise<CachedLogo>
}

const maxCachedBytes = 32_000_000
const logoTtlMs = hourMs
const missingLogoTtlMs = minuteMs

/** Logos of other hosts, by their URL. `fetch` loads a logo once for all requests that wait for it. */
const logosCache = defineCache<string, CachedLogo, LogoSource>('logos', {
  max: 10_000,
  maxSize: maxCachedBytes,
  sizeCalculation: ({ bytes }) => bytes.length + 1,
  ttl: logoTtlMs,
  async fetchMethod(_url, _cached, { options, context: { load } }) {
    const logo = await load()
    if (logo.type === undefined) options.ttl = missingLogoTtlMs
    return logo
  },
  ignoreFetchAbort: true,
})

/**
 * Returns the path at which this host serves a logo, so that visitors of a page do not contact another host. An uploaded logo has its
 * own path. The path of a remote logo contains the URL of the logo and a MAC of the tenant. So a tenant's host only fetches URLs that an operator of
 * this tenant configured.
 */
export function logoAddressOf(
  { secrets }: Pick<Deps, 'secrets'>,
  tenant: Pick<Tenant, 'id' | 'baseUrl' | 'sealedSecret'>,
  url: string,
): string {
  if (isUploadedLogo(tenant, url)) return url.slice(tenant.baseUrl.length)
  return `/o/logos/${secrets.ofTenant(tenant).mac(macUse, `${tenant.id} ${url}`)}.${Buffer.from(url).toString('base64url')}`
}

/** Returns the logo of an address. Returns undefined if this service did not create the address, or has no picture for it. */
export async function findLogo(deps: Deps, tenant: Tenant, key: string): Promise<Picture | undefined> {
  const uploaded = await readUploadedLogo(deps, tenant.id, key)
  if (uploaded) return uploaded
  const [mac = '', encoded = ''] = key.split('.', 2)
  const url = Buffer.from(encoded, 'base64url').toString()
  if (!deps.secrets.ofTenant(tenant).isMac(mac, macUse, `${tenant.id} ${url}`)) return undefined
  const context = { load: () => load(deps, url) }
  const logo = await deps.withoutSlot(deps.caches.of(logosCache).fetch(url, { context }))
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

/** Detects the type of a picture by its first bytes and not by its header. Only SVG, which is text, is detected by the header. */
function typeOf(bytes: Buffer, said: string): string | undefined {
  return pictureTypeOf(bytes) ?? (/^image\/svg\+xml\b/i.test(said) ? 'image/svg+xml' : undefined)
}
