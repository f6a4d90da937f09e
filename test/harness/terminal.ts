import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Terminal } from '../../api/cli/trustwright/command.ts'
import { run } from '../../api/cli/trustwright/run.ts'

/** Returns a command line whose commands run in the process of the test, without input, with their own file of profiles. */
export function newTerminal(profiles: Record<string, object>) {
  const dir = mkdtempSync(join(tmpdir(), 'trustwright-terminal-'))
  const config = join(dir, 'profiles.json')
  writeFileSync(config, JSON.stringify({ profiles }))
  return {
    ...{ dir, config },
    async run(args: string[], env: NodeJS.ProcessEnv = {}) {
      const output = { stdout: '', stderr: '' }
      const streamOf = (name: keyof typeof output) => ({
        write(text: string) {
          output[name] += text
          return true
        },
      })
      const streams = { stdin: null, stdout: streamOf('stdout'), stderr: streamOf('stderr') }
      // Boundary: the commands of tests use no other member.
      const terminal = { ...streams, env: { TRUSTWRIGHT_CONFIG: config, ...env } } as unknown as Terminal
      return { code: await run(args, terminal), ...output }
    },
    end: () => rmSync(dir, { recursive: true, force: true }),
  }
}
