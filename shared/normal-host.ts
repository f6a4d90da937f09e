/** A host in lower case, and without the port that the scheme implies. */
export function normalHost(host: string, scheme: 'http' | 'https'): string {
  const ownPort = scheme === 'https' ? ':443' : ':80'
  const lower = host.toLowerCase()
  return lower.endsWith(ownPort) ? lower.slice(0, -ownPort.length) : lower
}
