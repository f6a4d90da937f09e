import { FormatError } from './format-error.ts'

/** Returns the did:web of a host from a `Host` header. A port is percent-encoded (did:web, section 3.1). */
export function didWebOf(host: string): string {
  const did = `did:web:${host.toLowerCase().replace(':', '%3A')}`
  didWebDocumentUrl(did)
  return did
}

/**
 * Returns the URL of a did:web document (did:web, section 3.2): `/.well-known/did.json` for a bare domain, otherwise the path and
 * `did.json`. Does not check whether outbound calls to the URL are allowed. Throws `invalid_did`.
 */
export function didWebDocumentUrl(did: string): string {
  const [host, ...path] = did.startsWith(didWebPrefix) ? did.slice(didWebPrefix.length).split(':') : []
  const authority = host && didWebHost.exec(host)
  if (!authority || !path.every((segment) => didWebSegment.test(segment))) {
    throw new FormatError('invalid_did', 'not a did:web')
  }
  const [, domain, port] = authority
  const origin = `https://${domain}${port ? `:${port}` : ''}`
  if (!URL.canParse(origin)) throw new FormatError('invalid_did', 'not a did:web')
  return `${origin}/${path.length === 0 ? '.well-known' : path.join('/')}/did.json`
}

/** Splits a DID URL into its DID and the fragment of a key. Throws `invalid_did` for a DID URL with a path or query. */
export function splitDidUrl(didUrl: string): { did: string; method: string; fragment: string | undefined } {
  const [, did, method, fragment] = didUrl.length > maxDidUrlLength ? [] : (didUrlPattern.exec(didUrl) ?? [])
  if (!did || !method) throw new FormatError('invalid_did', 'not a DID, or not a DID with a key of its document')
  return { did, method, fragment }
}

const maxDidUrlLength = 3_000
const didUrlPattern = /^(did:([a-z0-9]+):[A-Za-z0-9._:%-]+)(?:#([A-Za-z0-9._~!$&'()*+,;=:@/?%-]+))?$/

const didWebPrefix = 'did:web:'
const didWebHost = /^([A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)(?:%3[Aa](\d{1,5}))?$/
// A segment of only dots would lead out of its path.
const didWebSegment = /^(?!\.+$)[A-Za-z0-9._-]+$/
