import { type Client, escapeIdentifier } from 'pg'
import { clientOf, createHosts, type Hosts, requirePrimary } from './postgres-hosts.ts'

/** Signals between the processes of a service. A signal can be lost, so that a listener looks regularly as well. */
export interface Signals {
  /**
   * Calls `wake` after a signal of any process on the channel, with the payload of its NOTIFY. Calls it without a payload when the connection
   * begins to receive the signals of the channel, because earlier ones were lost. Returns a function that ends it.
   */
  listen(channel: string, wake: Wake): () => void
  /** Sends a signal. Those of one tick of the event loop are one message. Without a listener in this process, none is sent. */
  send(channel: string): void
}

type Wake = (payload?: string) => void

const answerWithinMs = 5_000
/** A connection that only listens sends nothing. Without a query, its silent loss would not be noticed. */
const pingEveryMs = 5_000
/** The pauses after a lost connection. Each is twice the last one. */
const firstPauseMs = 50
const maxPauseMs = 5_000

/**
 * Opens signals over LISTEN and NOTIFY. Their connection is open while the process listens. The server commits one NOTIFY at a time, so
 * they are not sent in the transactions of others.
 */
export function openPostgresSignals(url: string): Signals {
  const listeners = new Map<string, Set<Wake>>()
  const unsent = new Set<string>()
  const connection = keepConnected(url, {
    isNeeded: () => listeners.size > 0,
    channels: () => [...listeners.keys()],
    wake: (channel, payload) => listeners.get(channel)?.forEach((wake) => void wake(payload)),
  })
  let isSending = false

  async function sendAll(): Promise<void> {
    while (unsent.size > 0) {
      const channels = [...unsent]
      unsent.clear()
      await connection.query("SELECT pg_notify(channel, '') FROM unnest($1::text[]) AS channel", [channels])
    }
    isSending = false
  }

  return {
    listen(channel, wake) {
      const ofChannel = listeners.get(channel) ?? new Set<Wake>()
      listeners.set(channel, ofChannel.add(wake))
      if (ofChannel.size === 1) void connection.listen(channel)
      return () => {
        ofChannel.delete(wake)
        if (ofChannel.size > 0 || listeners.get(channel) !== ofChannel) return
        listeners.delete(channel)
        void connection.query(`UNLISTEN ${escapeIdentifier(channel)}`)
      }
    },
    send(channel) {
      unsent.add(channel)
      if (isSending) return
      isSending = true
      setImmediate(() => void sendAll())
    },
  }
}

interface ConnectionOptions {
  isNeeded(): boolean
  /** The channels to which a new connection listens. */
  channels(): string[]
  wake(channel: string, payload?: string): void
}

/** Keeps a connection to the primary while it is needed. */
function keepConnected(url: string, options: ConnectionOptions) {
  const hosts = createHosts(url)
  let client: Client | undefined
  let run: RunQuery | undefined
  let pauseMs = firstPauseMs
  let retry: NodeJS.Timeout | undefined
  let pings: NodeJS.Timeout | undefined

  function open(): void {
    retry = undefined
    if (!options.isNeeded()) return
    const opened = newClient(hosts, options, () => close(opened))
    client = opened
    pings = setInterval(() => void query('SELECT 1'), pingEveryMs).unref()
    setUp(hosts, opened)
      .then(async () => {
        if (client !== opened) return
        const runInOrder = createQueryQueue(opened)
        run = runInOrder
        for (const channel of options.channels()) await runInOrder(listenTo(channel))
        pauseMs = firstPauseMs
        for (const channel of options.channels()) options.wake(channel)
      })
      .catch(() => close(opened))
  }

  function close(opened: Client): void {
    if (client !== opened) return
    client = undefined
    run = undefined
    clearInterval(pings)
    void opened.end().catch(() => undefined)
    retry = setTimeout(open, pauseMs).unref()
    pauseMs = Math.min(2 * pauseMs, maxPauseMs)
  }

  /** Does nothing while the connection is away, and closes it after an error. Returns whether the query ran. Never rejects. */
  async function query(text: string, values: unknown[] = []): Promise<boolean> {
    const current = client
    if (!current) {
      if (!retry) open()
      return false
    }
    if (!options.isNeeded()) close(current)
    return (await run?.(text, values).catch(() => close(current))) !== undefined
  }

  /** A connection that opens later listens to all channels. */
  async function listen(channel: string): Promise<void> {
    if (await query(listenTo(channel))) options.wake(channel)
  }

  return { query, listen }
}

type RunQuery = (text: string, values?: unknown[]) => Promise<unknown>

/** Runs the queries of a client one after the other. The next major version of `pg` refuses a query while another one runs. */
function createQueryQueue(client: Client): RunQuery {
  let last: Promise<unknown> = Promise.resolve()
  return (text, values = []) => {
    const result = last.then(() => client.query(text, values))
    last = result.catch(() => undefined)
    return result
  }
}

const listenTo = (channel: string) => `LISTEN ${escapeIdentifier(channel)}`

/** Calls `onEnd` when the connection is lost. */
function newClient(hosts: Hosts, { wake }: Pick<ConnectionOptions, 'wake'>, onEnd: () => void): Client {
  const limits = { connectionTimeoutMillis: answerWithinMs, query_timeout: answerWithinMs }
  const client = new (clientOf(hosts))({ keepAlive: true, ...limits })
  client.on('error', onEnd)
  client.on('notification', ({ channel, payload }) => wake(channel, payload))
  client.once('end', onEnd)
  return client
}

async function setUp(hosts: Hosts, client: Client): Promise<void> {
  const url = hosts.current()
  try {
    await client.connect()
    await requirePrimary(client)
    // A signal need not survive the server, so its commit does not wait for the disk.
    await client.query("SET synchronous_commit = off; SET application_name = 'trustwright signals'")
  } catch (error) {
    hosts.leave(url)
    throw error
  }
}
