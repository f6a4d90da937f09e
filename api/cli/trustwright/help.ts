import type { Command } from './command.ts'

const common: Command['options'] = {
  profile: { type: 'string', value: 'NAME', help: 'The profile. Default: TRUSTWRIGHT_PROFILE, or "default"' },
  json: { type: 'boolean', help: 'Print JSON' },
  help: { type: 'boolean', short: 'h', help: 'Show this help' },
}

/** The options of all commands. */
export const commonOptions = common

/** The options before a command. */
export const programOptions: Command['options'] = {
  ...common,
  version: { type: 'boolean', help: 'Print the version' },
}

/** The help of a command, or of some commands. */
export function helpOf(of: Command | readonly Command[]): string {
  return 'name' in of ? helpOfCommand(of) : helpOfCommands(of)
}

function helpOfCommands(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name, usage }) => `${name} ${usage}`.length))
  const lines = commands.map(({ name, usage, summary }) => `  ${`${name} ${usage}`.padEnd(width)}  ${summary}`)
  return [
    'trustwright COMMAND [OPTIONS]',
    '',
    ...lines,
    '',
    '"trustwright --version" prints the version.',
    '"trustwright help COMMAND" shows the options and examples of a command. --profile and --json can be before the command.',
    'Without a profile, the client is that of TRUSTWRIGHT_BASE_URL, TRUSTWRIGHT_CLIENT_ID and TRUSTWRIGHT_CLIENT_SECRET.',
  ].join('\n')
}

function helpOfCommand({ name, usage, summary, options, details = [], examples }: Command): string {
  const all = Object.entries({ ...options, ...common }).map(([option, { short, value, help }]) => ({
    left: `${short ? `-${short}, ` : ''}--${option}${value ? ` ${value}` : ''}`,
    help,
  }))
  const width = Math.max(...all.map(({ left }) => left.length))
  return [
    `trustwright ${[name, usage].filter(Boolean).join(' ')} [OPTIONS]`,
    '',
    `${summary}.`,
    ...details,
    '',
    ...all.map(({ left, help }) => `  ${left.padEnd(width)}  ${help}`),
    '',
    'Examples:',
    ...examples.map((example) => `  ${example}`),
  ].join('\n')
}
