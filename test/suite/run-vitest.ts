import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The program of vitest. */
export const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs vitest once with these arguments. Returns its exit code. A signal to this process ends vitest first. */
export async function runVitest(words: string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  const suite = spawn(process.execPath, [vitest, 'run', ...words], {
    env: { ...process.env, ...env },
    stdio: 'inherit',
  })
  // vitest ends on the same Ctrl-C. The caller then removes what it made.
  const pass = (signal: NodeJS.Signals) => void suite.kill(signal)
  for (const signal of signals) process.on(signal, pass)
  const [code] = await once(suite, 'exit')
  for (const signal of signals) process.off(signal, pass)
  return code ?? 1
}
