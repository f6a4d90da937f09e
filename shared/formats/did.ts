import { FormatError } from './format-error.ts'

/** did:web of a host as the `Host` header has it; a port is percent-encoded (did:web, section 3.1). */
export function didWebOf(host: string): string {
  const did = `did:web:${host.toLowerCase().replace(':', '%3A')}`
  didWebDocumentUrl(did)
  return did
}

/**
 * Where the document of a did:web is (did:web, section 3.2): `/.well-known/did.json` of a bare domain, else the path and
 * `did.json`. Says nothing about whether that address may be called. Throws `invalid_did`.
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

/** A DID URL taken apart into its DID and the fragment that names a key in its document. Throws `invalid_did` for one with a path or query. */
export function splitDidUrl(didUrl: string): { did: string; method: string; fragment: string | undefined } {
  const [, did, method, fragment] = didUrl.length > maxDidUrlLength ? [] : (didUrlPattern.exec(didUrl) ?? [])
  if (!did || !method) throw new FormatError('invalid_did', 'not a DID, or not a DID with a key of its document')
  return { did, method, fragment }
}

const maxDidUrlLength = 3_000
const didUrlPattern = /^(did:([a-z0-9]+):[A-Za-z0-9._:%-]+)(?:#([A-Za-z0-9._~!$&'()*+,;=:@/?%-]+))?$/

const didWebPrefix = 'did:web:'
const didWebHost = /^([A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)(?:%3[Aa](\d{1,5}))?$/
// A segment of only dots would climb out of its path.
const didWebSegment = /^(?!\.+$)[A-Za-z0-9._-]+$/
