import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Seconds of CPU time of a process with all its threads. */
export interface CpuTime {
  user: number
  system: number
}

export type CpuTimes = Record<string, CpuTime>

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** CPU times by name. See proc(5): fields 14 and 15 of /proc/PID/stat. */
export function cpuTimes(pids: Record<string, number>): CpuTimes {
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, cpuTime(pid)]))
}

/**
 * The CPU time of a process and its children, including ended children. PostgreSQL has a process for each connection.
 */
export function cpuTime(pid: number): CpuTime {
  const times = [pid, ...childrenOf(pid)].map(ownTime)
  const sum = (part: keyof CpuTime) => times.reduce((total, each) => total + each[part], 0)
  return { user: sum('user'), system: sum('system') }
}

export function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

/** Includes ended children: fields 16 and 17. The parent has the time of a child that ends during the reading. */
function ownTime(pid: number): CpuTime {
  const text = statOf(pid)
  // The second field is the command in parentheses, which may hold spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const seconds = (field: number) => Number(fields[field - 3] ?? 0) / ticksPerSecond
  return { user: seconds(14) + seconds(16), system: seconds(15) + seconds(17) }
}

function statOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return ''
  }
}

/** The CPU time between two readings. */
export function cpuSpent(before: CpuTimes, after: CpuTimes): CpuTimes {
  return Object.fromEntries(
    Object.entries(after).map(([name, { user, system }]) => {
      const { user: userBefore, system: systemBefore } = before[name] ?? { user: 0, system: 0 }
      return [name, { user: user - userBefore, system: system - systemBefore }]
    }),
  )
}

export function totalSeconds(times: CpuTimes, names: string[] = Object.keys(times)): number {
  return names.reduce((sum, name) => sum + (times[name]?.user ?? 0) + (times[name]?.system ?? 0), 0)
}

/** Megabytes: the resident memory of a process, and its proportional share of it (shared pages count once). */
export interface Memory {
  resident: number
  proportional: number
}

export function memoryOf(pid: number): Memory {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const megabytes = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024
  return { resident: megabytes('Rss'), proportional: megabytes('Pss') }
}

/** Resident memory of each process in megabytes. */
export function residentMegabytes(pids: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => {
      const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
      return [name, Number(kilobytes) / 1024]
    }),
  )
}
