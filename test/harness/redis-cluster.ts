import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { freePort } from './redis.ts'

const slots = 16_384

interface Node {
  port: number
  busPort: number
  dir: string
  child?: ChildProcess
}

export interface TestCluster {
  url: string
  nodes: { port: number }[]
  /** Kills a node. Its data stays. */
  kill(position: number): Promise<void>
  /** Waits until each running node reports that the cluster does not serve all slots. */
  untilFailing(): Promise<void>
  /** Starts a killed node again, and waits until the cluster serves all slots. */
  start(position: number): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts a Redis Cluster of masters with AOF and without replicas, on loopback. */
export async function startRedisCluster(count = 3): Promise<TestCluster> {
  const dir = mkdtempSync(join(tmpdir(), 'trustwright-redis-cluster-'))
  const nodes: Node[] = []
  for (let position = 0; position < count; position++) {
    const own = join(dir, String(position))
    mkdirSync(own)
    nodes.push({ port: await freePort(), busPort: await freePort(), dir: own })
  }
  const end = () => {
    for (const { child } of nodes) child?.kill('SIGKILL')
  }
  process.once('exit', end)
  await Promise.all(nodes.map(startNode))
  const share = Math.ceil(slots / count)
  for (const [position, { port }] of nodes.entries()) {
    const last = Math.min(slots, (position + 1) * share) - 1
    await onNode(port, (redis) => redis.call('CLUSTER', 'ADDSLOTSRANGE', position * share, last))
  }
  for (const { port, busPort } of nodes.slice(1)) {
    await onNode(nodes[0]!.port, (redis) => redis.call('CLUSTER', 'MEET', '127.0.0.1', port, busPort))
  }
  await untilServing(nodes)
  return {
    url: `redis+cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    nodes,
    kill: (position) => killNode(nodes[position]!),
    untilFailing: () => untilInfo(nodes.filter(isRunning), ['cluster_state:fail']),
    async start(position) {
      await startNode(nodes[position]!)
      await untilServing(nodes)
    },
    async [Symbol.asyncDispose]() {
      process.off('exit', end)
      await Promise.all(nodes.map(killNode))
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

async function startNode(node: Node): Promise<void> {
  const own = ['--port', String(node.port), '--cluster-port', String(node.busPort), '--bind', '127.0.0.1']
  const cluster = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000']
  const durable = ['--dir', node.dir, '--appendonly', 'yes', '--save', '', '--maxmemory-policy', 'noeviction']
  node.child = spawn('redis-server', [...own, ...cluster, ...durable], { stdio: 'ignore' })
  await onNode(node.port, (redis) => redis.ping())
}

const isRunning = ({ child }: Node) => child !== undefined && child.exitCode === null && child.signalCode === null

async function killNode(node: Node): Promise<void> {
  if (isRunning(node) && node.child?.kill('SIGKILL')) await once(node.child, 'exit')
}

function untilServing(nodes: Node[]): Promise<void> {
  return untilInfo(nodes, ['cluster_state:ok', `cluster_known_nodes:${nodes.length}`])
}

/** Waits until the information of each node about the cluster contains these lines. */
async function untilInfo(nodes: Node[], lines: string[]): Promise<void> {
  for (const { port } of nodes) {
    for (;;) {
      const info = await onNode(port, (redis) => redis.cluster('INFO'))
      if (lines.every((line) => info.includes(line))) break
      await sleep(50)
    }
  }
}

async function onNode<Answer>(port: number, work: (redis: Redis) => Promise<Answer>): Promise<Answer> {
  const redis = new Redis(port, '127.0.0.1', { maxRetriesPerRequest: null })
  redis.on('error', () => undefined)
  try {
    return await work(redis)
  } finally {
    redis.disconnect()
  }
}
