import { spawnSync } from 'node:child_process'

/** A program is missing or failed. The message is for the person who ran the command. */
export class ProgramFailed extends Error {}

export interface RunOptions {
  cwd?: string
  env?: NodeJS.ProcessEnv
  /** Lets the program ask for a password. */
  canAsk?: boolean
}

/** Runs a program and returns what it prints, without the white space at its ends. Throws ProgramFailed. */
export function runProgram(program: string, words: readonly string[], options: RunOptions = {}): string {
  const { canAsk = false, ...rest } = options
  const { error, status, stdout, stderr } = spawnSync(program, words, {
    ...rest,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
    stdio: [canAsk ? 'inherit' : 'ignore', 'pipe', canAsk ? 'inherit' : 'pipe'],
  })
  if (error && 'code' in error && error.code === 'ENOENT')
    throw new ProgramFailed(`${program} is missing. Install it, on Debian with apt-get install ${program}.`)
  if (error) throw error
  if (status !== 0) throw new ProgramFailed(`${program} ${words[0]} failed: ${(stderr || stdout || '').trim()}`)
  return stdout.trim()
}
