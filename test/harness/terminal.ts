import type { Terminal } from '../../api/cli/trustwright/command.ts'

/** Returns a terminal for commands that run in the process of a test, with what they wrote to it. It has no input. */
export function newTerminal(env: NodeJS.ProcessEnv = {}) {
  const written = { stdout: '', stderr: '' }
  const streamOf = (name: keyof typeof written) => ({
    write(text: string) {
      written[name] += text
      return true
    },
  })
  // Boundary: the commands of tests use no other member.
  const terminal = { env, stdin: null, stdout: streamOf('stdout'), stderr: streamOf('stderr') } as unknown as Terminal
  return { terminal, output: () => ({ ...written }) }
}
