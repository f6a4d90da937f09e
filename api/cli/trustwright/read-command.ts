import { parseArgs } from 'node:util'
import { nearestWord } from '../../../shared/nearest-word.ts'
import { type Arguments, type Command, UsageError } from './command.ts'
import { commonOptions, programOptions } from './help.ts'

/** The meaning of a command line. */
export type CommandRequest =
  | { kind: 'version' }
  /** The help of a command, or else of some commands. */
  | { kind: 'help'; of: Command | readonly Command[] }
  | { kind: 'run'; command: Command; args: Arguments }

/**
 * Reads a command line: options of all commands, the words of a command, its options and arguments. `help` before a command is the same as
 * `--help` after it. Throws a `UsageError` that says what to change.
 */
export function readCommand(args: readonly string[], commands: readonly Command[]): CommandRequest {
  const { options, words } = splitAtCommand(args)
  if (options.includes('--version')) {
    if (words.length === 0) return { kind: 'version' }
    throw new UsageError('--version has no argument.')
  }
  const [first] = words
  const [path, isHelp] =
    first === 'help' ? [words.slice(1), true] : [words, words.length === 0 || isHelpAsked([...options, ...words])]
  const command = commands.find(({ name }) => name.split(' ').every((word, position) => path[position] === word))
  if (command) {
    if (isHelp) return { kind: 'help', of: command }
    const rest = path.slice(command.name.split(' ').length)
    return { kind: 'run', command, args: parse(command, [...options, ...rest]) }
  }
  const [group] = path
  if (isHelp && (group === undefined || group.startsWith('-'))) return { kind: 'help', of: commands }
  const members = membersOf(group, commands)
  if (isHelp && members.length > 0) return { kind: 'help', of: members }
  throw new UsageError(textOfUnknown(path, members, commands))
}

const isHelpAsked = (args: readonly string[]) => args.includes('--help') || args.includes('-h')

/** Splits a command line at its first word that is no option and no value of one. */
function splitAtCommand(args: readonly string[]): { options: readonly string[]; words: readonly string[] } {
  const { tokens } = parseArgs({
    ...{ args: [...args], options: programOptions },
    ...{ strict: false, allowPositionals: true, tokens: true },
  })
  const start = tokens.find(({ kind }) => kind !== 'option')?.index ?? args.length
  for (const token of tokens) {
    if (token.kind !== 'option' || token.index >= start) continue
    if (Object.hasOwn(programOptions, token.name)) continue
    const advice = `Before the command there can be ${optionsOf(programOptions).join(', ')}.`
    throw new UsageError(`${textOfUnknownOption(token.rawName, programOptions)} ${advice}`)
  }
  return { options: args.slice(0, start), words: args.slice(start) }
}

function optionsOf(options: Command['options']): string[] {
  return Object.keys(options).map((name) => `--${name}`)
}

function textOfUnknownOption(option: string, options: Command['options']): string {
  const nearest = nearestWord(option, optionsOf(options))
  return `Unknown option '${option}'.${nearest === undefined ? '' : ` Did you mean ${nearest}?`}`
}

/** Options can have secrets, so that only the words before them are repeated. */
function textOfUnknown(path: readonly string[], members: readonly Command[], commands: readonly Command[]): string {
  const option = path.findIndex((each, index) => index > 0 && each.startsWith('-'))
  const words = option < 0 ? path : path.slice(0, option)
  const unknown = `There is no command "${words.join(' ')}".`
  const nearest = nearestCommand(words, commands)
  if (nearest !== undefined) return `${unknown} Did you mean "${nearest}"?`
  const names = members.map(({ name }) => name.split(' ').slice(1).join(' '))
  if (names.length > 0) return `${unknown} The commands of ${words[0]} are ${names.join(', ')}.`
  return `${unknown} "trustwright --help" lists the commands.`
}

/** Returns the name of a command or of a group that is near the first words. */
function nearestCommand(words: readonly string[], commands: readonly Command[]): string | undefined {
  const names = commands.map(({ name }) => name)
  const groups = new Set(names.flatMap((name) => (name.includes(' ') ? name.split(' ', 1) : [])))
  const [first = '', second] = words
  const singles = [...groups, ...names.filter((name) => !name.includes(' '))]
  if (second === undefined) return groups.has(first) ? undefined : nearestWord(first, singles)
  const pairs = names.filter((name) => name.includes(' '))
  return nearestWord(`${first} ${second}`, pairs) ?? (groups.has(first) ? undefined : nearestWord(first, singles))
}

/** Returns the commands of a group, such as `bulk`. */
function membersOf(group: string | undefined, commands: readonly Command[]): Command[] {
  return commands.filter(({ name }) => name.startsWith(`${group} `))
}

function parse({ name, usage, options }: Command, args: string[]): Arguments {
  const advice = `"trustwright ${name} --help" shows the options.`
  const parsed = parseOptions()
  const most = usage.includes('...') ? Number.POSITIVE_INFINITY : usage.split(' ').filter(Boolean).length
  const extra = parsed.positionals[most]
  if (extra !== undefined) {
    const meant = 'folder' in options ? `Did you mean "--folder ${extra}"? ` : ''
    throw new UsageError(`${name} has no argument "${extra}". ${meant}${advice}`)
  }
  return parsed

  function parseOptions(): Arguments {
    const all = { ...options, ...commonOptions }
    try {
      return parseArgs({ args, options: all, allowPositionals: true })
    } catch (error) {
      const { message } = error as Error
      // Node.js adds how to write an argument with a dash.
      const [, unknown] = /^Unknown option '([^']*)'/.exec(message) ?? []
      throw new UsageError(`${unknown === undefined ? `${message}.` : textOfUnknownOption(unknown, all)} ${advice}`)
    }
  }
}
