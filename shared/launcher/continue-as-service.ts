/**
 * Replaces the launcher by the only process of the service, whose command it is. That process then does the rest of the launcher (in-service.ts). The
 * process id and the parent stay. Returns only on Windows, which cannot replace a program.
 */
export function continueAsService(command: string, env: NodeJS.ProcessEnv): void {
  const [, ...words] = [...command.split(' '), `${launchedOption}${process.ppid}`]
  const values = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  process.execve?.(process.execPath, [process.execPath, ...words], Object.fromEntries(values))
}

/** The option of api/combined/main.ts in the process that was the launcher. Its value is the process id of its parent. */
const launchedOption = '--launched-by='

/** Reads the option. Returns undefined for another word. */
export function readLaunchedOption(word: string): number | undefined {
  const [, pid] = /^--launched-by=(\d+)$/.exec(word) ?? []
  return pid === undefined ? undefined : Number(pid)
}
