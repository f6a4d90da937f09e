export interface RedisHost {
  host: string
  port: number
}

/** The hosts of a URL with several, and its user and password. */
export interface RedisHosts {
  hosts: RedisHost[]
  username: string | undefined
  password: string | undefined
}

/** Parses `USER:PASSWORD` and `HOST:PORT,HOST:PORT` of a URL. Returns undefined if a part is wrong. */
export function parseRedisHosts(user: string, list: string, defaultPort: number): RedisHosts | undefined {
  // A URL has one host, so each host is parsed as a URL.
  const urls = list.split(',').map((host) => URL.parse(`redis://${user}@${host}`))
  const hosts = urls.flatMap((url) => (url?.hostname ? [hostOf(url, defaultPort)] : []))
  const [first] = urls
  if (!first || hosts.length < urls.length) return undefined
  try {
    const [username, password] = [decodeURIComponent(first.username), decodeURIComponent(first.password)]
    return { hosts, username: username || undefined, password: password || undefined }
  } catch {
    return undefined // a wrong percent-encoding
  }
}

function hostOf({ hostname, port }: URL, defaultPort: number): RedisHost {
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? defaultPort : Number(port) }
}
