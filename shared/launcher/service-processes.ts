import { type ProcessRole, parseRoles, processRoles } from '../process/roles.ts'
import type { Config } from '../settings/config.ts'
import type { ProcfileEntry } from './procfile.ts'

/**
 * Returns the processes that `npm start` runs: one with the roles of `ROLES`, and one for each other role. The name of a process is the list of its roles.
 * On SQLite, whose writes run one after the other, web and worker share a process by default. Keys stay in a process without a public port.
 */
export function serviceProcesses(
  { roles, databaseUrl }: Pick<Config, 'roles' | 'databaseUrl'>,
  procfile: readonly ProcfileEntry[],
): ProcfileEntry[] {
  const together: ProcessRole[] = roles ?? (databaseUrl.startsWith('file:') ? ['web', 'worker'] : ['web'])
  const others = processRoles.filter((role) => !together.includes(role)).map((role) => [role])
  return [...others, together].map((group) => ({ name: group.join(','), command: commandOf(group, procfile) }))
}

/** Returns the roles of the process with this name. Empty for a process of no role, such as Redis. */
export function rolesIn(name: string): ProcessRole[] {
  return parseRoles(name) ?? []
}

/** Returns the command of the first role, with its options for Node.js. The program `api/combined/main.ts` reads `ROLES`. */
function commandOf([first, ...others]: readonly ProcessRole[], procfile: readonly ProcfileEntry[]): string {
  const command = procfile.find(({ name }) => name === first)?.command
  if (!command) throw new Error(`The Procfile has no process ${first}.`)
  return first === 'web' || others.length > 0
    ? command.replace(/(api|workers)\/main\.ts.*/, 'api/combined/main.ts')
    : command
}
