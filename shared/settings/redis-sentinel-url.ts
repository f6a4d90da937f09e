import { parseRedisHosts, type RedisHost } from './redis-hosts.ts'

/** The Sentinels that name the master, with the credentials for the master and for the Sentinels. */
export interface SentinelAddress {
  sentinels: RedisHost[]
  /** The name of the master at the Sentinels. */
  master: string
  username: string | undefined
  password: string | undefined
  sentinelUsername: string | undefined
  sentinelPassword: string | undefined
  isTls: boolean
}

const form =
  /^redis(?<tls>s?)\+sentinel:\/\/(?:(?<user>[^/@]*)@)?(?<hosts>[^/@]+)\/(?<master>[\w.-]+)(?:\?(?<query>[^#]*))?$/

const parameters = ['sentinelUsername', 'sentinelPassword']

export function isSentinelUrl(text: string): boolean {
  return /^rediss?\+sentinel:/.test(text)
}

/**
 * Parses `redis+sentinel://USER:PASSWORD@HOST:PORT,HOST:PORT/MASTER?sentinelUsername=USER&sentinelPassword=PASSWORD`. Returns undefined
 * for any other text.
 */
export function parseSentinelUrl(text: string): SentinelAddress | undefined {
  const { tls, user = '', hosts = '', master, query = '' } = form.exec(text)?.groups ?? {}
  const parsed = parseRedisHosts(user, hosts, 26_379)
  const searchParams = new URLSearchParams(query)
  if (!parsed || master === undefined || [...searchParams.keys()].some((name) => !parameters.includes(name)))
    return undefined
  const [sentinelUsername, sentinelPassword] = parameters.map((name) => searchParams.get(name) || undefined)
  const { hosts: sentinels, username, password } = parsed
  return { sentinels, master, username, password, sentinelUsername, sentinelPassword, isTls: tls === 's' }
}
