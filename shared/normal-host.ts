/** Returns a host in lower case, without the default port of the scheme. */
export function normalHost(host: string, scheme: 'http' | 'https'): string {
  const ownPort = scheme === 'https' ? ':443' : ':80'
  const lower = host.toLowerCase()
  return lower.endsWith(ownPort) ? lower.slice(0, -ownPort.length) : lower
}
