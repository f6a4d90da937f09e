import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownRoot } from './stack.ts'

/** Another version of this project, in a folder of its own. */
export interface Checkout {
  root: string
  [Symbol.dispose](): void
}

/** Checks out a commit, a branch or a tag. Installs its packages, if they differ from those of this version. */
export function checkOut(ref: string): Checkout {
  const root = mkdtempSync(join(tmpdir(), 'trustwright-version-'))
  const run = (command: string, ...words: string[]) =>
    execFileSync(command, words, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  run('git', 'clone', '--quiet', '--no-checkout', ownRoot, '.')
  run('git', 'checkout', '--quiet', ref)
  const lockOf = (folder: string) => readFileSync(join(folder, 'package-lock.json'), 'utf8')
  if (lockOf(root) === lockOf(ownRoot)) symlinkSync(join(ownRoot, 'node_modules'), join(root, 'node_modules'))
  else run('npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error')
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) }
}
