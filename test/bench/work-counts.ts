import { readdirSync, readFileSync } from 'node:fs'
import { connectPatient } from '../../shared/jobs/redis.ts'
import { childrenOf } from './cpu.ts'

/** What the processes did besides using CPU time. */
export interface WorkCounts {
  /** How often a process waited for something, for each process. PostgreSQL has one process for each connection. */
  contextSwitches: Record<string, number>
  /** Write calls to sockets and files, for each process. */
  writes: Record<string, number>
  redisBytes: number
}

/** Reads the counts so far of the processes and their threads and children. */
export async function readWorkCounts(pids: Record<string, number>, redisUrl: string): Promise<WorkCounts> {
  const perProcess = (read: (pid: number) => number) =>
    Object.fromEntries(
      Object.entries(pids).map(([name, pid]) => [
        name,
        [pid, ...childrenOf(pid)].reduce((sum, each) => sum + read(each), 0),
      ]),
    )
  return {
    contextSwitches: perProcess(voluntarySwitchesOf),
    writes: perProcess((pid) => numberIn(`/proc/${pid}/io`, 'syscw')),
    redisBytes: await readRedisBytes(redisUrl),
  }
}

export function workPerFlow(before: WorkCounts, after: WorkCounts, flows: number): WorkCounts {
  const per = (kind: 'contextSwitches' | 'writes') =>
    Object.fromEntries(
      Object.entries(after[kind]).map(([name, count]) => [name, (count - (before[kind][name] ?? 0)) / flows]),
    )
  return {
    contextSwitches: per('contextSwitches'),
    writes: per('writes'),
    redisBytes: (after.redisBytes - before.redisBytes) / flows,
  }
}

/** Such as `web 5.1, signing 2.0`. */
export function countsOfProcesses(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count.toFixed(1)}`)
    .join(', ')
}

/** Threads count by themselves; proc(5): `/proc/PID/task/TID/status`. */
function voluntarySwitchesOf(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce(
    (sum, thread) => sum + numberIn(`/proc/${pid}/task/${thread}/status`, 'voluntary_ctxt_switches'),
    0,
  )
}

/** Returns 0 for a process that has ended. */
function numberIn(path: string, field: string): number {
  try {
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(path, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

async function readRedisBytes(url: string): Promise<number> {
  const redis = connectPatient(url)
  try {
    const text = await redis.info('stats')
    return Number(/^total_net_input_bytes:(\d+)/m.exec(text)?.[1] ?? 0)
  } finally {
    redis.disconnect()
  }
}
