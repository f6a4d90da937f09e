import { execFileSync } from 'node:child_process'

/** Moves this process and all processes that it starts later to these cores, such as `0` or `0,1`. */
export function moveToCores(cores: string): void {
  execFileSync('taskset', ['-a', '-c', '-p', cores, String(process.pid)], { stdio: ['ignore', 'ignore', 'inherit'] })
}
