/** Names of this machine. Resolvers answer names below `localhost` with a loopback address (RFC 6761, section 6.3). */
const loopbackHost = /^(?:localhost|[a-z0-9.-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Returns why a URL is not a loopback address, or undefined if it is one. */
export function findLoopbackFault(url: string): string | undefined {
  if (!URL.canParse(url)) return 'Must be a URL such as http://localhost:4000/hooks'
  const { protocol, hostname, username, password, hash } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') return 'Must be http or https'
  if (username !== '' || password !== '') return 'Must not contain credentials'
  if (hash !== '') return 'Must not contain a fragment'
  return loopbackHost.test(hostname) ? undefined : 'Must have a loopback host, such as localhost'
}
