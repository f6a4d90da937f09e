const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const domain = new RegExp(`^(?:${label}\\.)+(?=[a-z])${label}(?::[1-9]\\d{0,4})?$`)

/**
 * Returns whether a lower-case text is a domain with a dot and an optional port. IP addresses and local names are not domains
 * here.
 */
export function isPublicDomain(text: string): boolean {
  const [name = '', port = '1'] = text.split(':')
  return domain.test(text) && name.length <= 253 && Number(port) <= 65_535
}
