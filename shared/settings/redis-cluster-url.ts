import { parseRedisHosts, type RedisHost } from './redis-hosts.ts'

/** The nodes at which a client learns all nodes of a Redis Cluster, with the credentials for each node. */
export interface ClusterAddress {
  nodes: RedisHost[]
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
  const parsed = parseRedisHosts(user, hosts, 6379)
  return parsed && { nodes: parsed.hosts, username: parsed.username, password: parsed.password, isTls: tls === 's' }
}
