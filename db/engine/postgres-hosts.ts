import { Client, type ClientBase, type ClientConfig } from 'pg'
import { urlsOfHosts } from '../../shared/settings/postgres-url.ts'

/** The servers of a database URL. New connections go to the current one. */
export interface Hosts {
  count: number
  current(): string
  /** Makes the next server the current one, if `url` still is. */
  leave(url: string): void
}

export function createHosts(url: string): Hosts {
  const urls = urlsOfHosts(url)
  let position = 0
  const current = () => urls[position] ?? url
  return {
    count: Math.max(urls.length, 1),
    current,
    leave(left) {
      if (left === current()) position = (position + 1) % urls.length
    },
  }
}

/** Returns a class of clients that connect to the server that is current when the client is made. */
export function clientOf(hosts: Hosts): new (config?: ClientConfig) => Client {
  return class extends Client {
    constructor(config: ClientConfig = {}) {
      super({ ...config, connectionString: hosts.current() })
    }
  }
}

/** Throws for a standby, which refuses writes. The primary can be another server of the URL, or the standby is promoted soon. */
export async function requirePrimary(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ isStandby: boolean }>('SELECT pg_is_in_recovery() AS "isStandby"')
  if (rows[0]?.isStandby) throw new Error('the server is a standby')
}

/** Connects a client to the primary. For commands, which have no pool. */
export async function connectToPrimary(url: string): Promise<Client> {
  const hosts = createHosts(url)
  for (let attempt = 1; ; attempt++) {
    const url = hosts.current()
    const client = new (clientOf(hosts))()
    try {
      await client.connect()
      await requirePrimary(client)
      return client
    } catch (error) {
      await client.end().catch(() => undefined)
      hosts.leave(url)
      if (attempt === hosts.count) throw error
    }
  }
}
