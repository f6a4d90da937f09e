/** The nodes at which a client learns all nodes of a Redis Cluster, with the credentials for each node. */
export interface ClusterAddress {
  nodes: { host: string; port: number }[]
  username: string | undefined
  password: string | undefined
  isTls: boolean
}

const form = /^redis(?<tls>s?)\+cluster:\/\/(?:(?<user>[^/@]*)@)?(?<hosts>[^/@]+)\/?$/

export function isClusterUrl(text: string): boolean {
  return /^rediss?\+cluster:/.test(text)
}

/** Parses `redis+cluster://USER:PASSWORD@HOST:PORT,HOST:PORT`. Returns undefined for any other text. */
export function parseClusterUrl(text: string): ClusterAddress | undefined {
  const { tls, user = '', hosts = '' } = form.exec(text)?.groups ?? {}
  // A URL has one host, so each host is parsed as a URL.
  const urls = hosts.split(',').map((host) => URL.parse(`redis://${user}@${host}`))
  const nodes = urls.flatMap((url) => (url?.hostname ? [nodeOf(url)] : []))
  const [first] = urls
  if (!first || nodes.length < urls.length) return undefined
  try {
    const [username, password] = [decodeURIComponent(first.username), decodeURIComponent(first.password)]
    return { nodes, username: username || undefined, password: password || undefined, isTls: tls === 's' }
  } catch {
    return undefined // a wrong percent-encoding
  }
}

function nodeOf({ hostname, port }: URL): { host: string; port: number } {
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? 6379 : Number(port) }
}
