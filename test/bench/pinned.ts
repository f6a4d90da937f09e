import { execFileSync } from 'node:child_process'

/** Moves this process, and with it whatever it starts from now on, to these cores, such as `0` or `0,1`. */
export function moveToCores(cores: string): void {
  execFileSync('taskset', ['-a', '-c', '-p', cores, String(process.pid)], { stdio: ['ignore', 'ignore', 'inherit'] })
}
