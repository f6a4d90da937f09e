import { Cluster, type ClusterNode, type ClusterOptions, Redis, type RedisOptions } from 'ioredis'
import { Misconfigured, reasonOf } from '../process/dependency.ts'
import { type ClusterAddress, parseClusterUrl } from '../settings/redis-cluster-url.ts'

type Options = ClusterOptions & { redisOptions?: { replyMapping?: 'legacy' } }
type NodeOptions = Pick<RedisOptions, 'commandTimeout' | 'connectTimeout' | 'maxRetriesPerRequest' | 'socketTimeout'>

/** The answer of a node with the list of slots comes within this time also from a busy machine. */
const slotsTimeoutMs = 3_000

/**
 * A connection to all nodes of a cluster whose `connect` always settles. The promise of ioredis 6.0 stays pending if the cluster does not
 * serve all slots at the first attempt, although later attempts succeed. A worker of BullMQ would wait for it for ever.
 */
class ReconnectingCluster extends Cluster {
  private readonly nodesOfUrl: ClusterNode[]
  private settled = Promise.withResolvers<void>()

  constructor(nodes: ClusterNode[], options: Options) {
    super(nodes, { ...options, lazyConnect: true }) // so that the fields exist before the first connect
    this.nodesOfUrl = nodes
    this.on('ready', () => this.settle(({ resolve }) => resolve()))
    this.on('end', () => this.settle(({ reject }) => reject(new Error('Connection is closed.'))))
    this.connect().catch(() => undefined) // each command reports the failure
  }

  private settle(end: (settled: PromiseWithResolvers<void>) => void): void {
    this.settled.promise.catch(() => undefined)
    end(this.settled)
    this.settled = Promise.withResolvers()
  }

  override connect(): Promise<void> {
    return Promise.race([super.connect(), this.settled.promise])
  }

  // Boundary: the type of the result depends on options of ioredis that are not used here. `never` fits all of them.
  override duplicate(nodes: ClusterNode[] = [], options: ClusterOptions = {}): never {
    const redisOptions = { ...this.options.redisOptions, ...options.redisOptions }
    const all = { ...this.options, ...options, redisOptions } as Options
    return new ReconnectingCluster(nodes.length > 0 ? nodes : this.nodesOfUrl, all) as never
  }
}

/** Opens a connection to all nodes of a cluster. */
export function openCluster(
  url: string,
  options: Pick<ClusterOptions, 'enableOfflineQueue' | 'maxRedirections' | 'clusterRetryStrategy'>,
  nodeOptions: NodeOptions,
): Cluster {
  const address = addressOfCluster(url)
  return new ReconnectingCluster(address.nodes, {
    ...options,
    slotsRefreshTimeout: slotsTimeoutMs,
    redisOptions: { ...nodeOptions, ...credentialsOf(address) },
    // TLS checks the certificate of the name. By default, the name is replaced by its address.
    ...(address.isTls && { dnsLookup: (name, answer) => answer(null, name) }),
  })
}

/** Resolves if a node of the URL answers for a cluster that serves all slots. Throws Misconfigured if waiting does not help. */
export async function reachCluster(url: string, options: NodeOptions): Promise<void> {
  const address = addressOfCluster(url)
  const reasons: string[] = []
  for (const node of address.nodes) {
    const reason = await reachNode(node, { ...options, ...credentialsOf(address) })
    if (reason === undefined) return
    reasons.push(`${node.host}:${node.port}: ${reason}`)
  }
  throw new Error(reasons.join(', '))
}

/** Returns why the cluster of a node does not serve, or undefined if it serves. */
async function reachNode(node: { host: string; port: number }, options: NodeOptions): Promise<string | undefined> {
  const redis = new Redis({ ...options, ...node, retryStrategy: () => null, lazyConnect: true })
  let firstError: unknown
  redis.on('error', (error) => {
    firstError ??= error
  })
  try {
    await redis.connect()
    const info = String(await redis.cluster('INFO'))
    return info.includes('cluster_state:ok') ? undefined : 'the cluster does not serve all slots (cluster_state:fail)'
  } catch (error) {
    const reason = firstError ?? error
    if (reason instanceof Error && /cluster support disabled/i.test(reason.message))
      throw new Misconfigured(
        `REDIS_URL has the scheme of a cluster, but Redis at ${node.host}:${node.port} is no node of a cluster. Use redis:// or rediss://, or start Redis with cluster-enabled yes.`,
      )
    if (isRefusal(reason)) throw reason
    return reasonOf(reason)
  } finally {
    redis.disconnect()
  }
}

/** Returns whether Redis refuses the user or the password. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && /^(WRONGPASS|NOAUTH|NOPERM)|invalid password/i.test(error.message)
}

function addressOfCluster(url: string): ClusterAddress {
  const address = parseClusterUrl(url)
  if (!address) throw new Error('the URL of the cluster was not checked')
  return address
}

function credentialsOf({
  username,
  password,
  isTls,
}: ClusterAddress): Pick<RedisOptions, 'username' | 'password' | 'tls'> {
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(isTls && { tls: {} }),
  }
}
