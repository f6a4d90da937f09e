import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { cpuSpent, cpuTimes, totalSeconds } from '../cpu.ts'

/**
 * The settings of db/engine/postgres-pool.ts. The service runs a statement often, so PostgreSQL plans it for all values. The script runs
 * it rarely.
 */
const sessionSettings = '-c enable_seqscan=off -c jit=off -c plan_cache_mode=force_generic_plan'

export interface Replay {
  /** The script, from replay-script.ts. */
  file: string
  url: string
  serverPid: number
  /** A number that no other replay in this database has. */
  run: number
  concurrency: number
  /** How often each connection runs the script. */
  times: number
}

/** Runs a script with pgbench. Returns the CPU seconds of the server. */
export async function runPgbench(program: string, replay: Replay): Promise<number> {
  const { file, url, serverPid, run, concurrency, times } = replay
  const options = `-n -M prepared -c ${concurrency} -t ${times} -D run=${run} -D replay=0`.split(' ')
  const before = cpuTimes({ postgres: serverPid })
  await promisify(execFile)(program, [...options, '-f', file, url], {
    env: { ...process.env, PGOPTIONS: sessionSettings },
  })
  return totalSeconds(cpuSpent(before, cpuTimes({ postgres: serverPid })))
}
