import { parseArgs } from 'node:util'
import { type ApiClient, createTrustwright, TrustwrightError } from '../../../shared/client/client.ts'
import type { RetryLimits } from '../../../shared/client/retries.ts'
import { productVersion } from '../../../shared/process/product-version.ts'
import { withApprovalNotice } from './approval-notice.ts'
import { type Arguments, type Command, type CommandCall, type Terminal, textOf, UsageError } from './command.ts'
import { commands } from './commands.ts'
import { fetchFrom } from './fetch-from.ts'
import { commonOptions, helpOf, helpOfCommand } from './help.ts'
import { withIgnoredNotice } from './ignored-notice.ts'
import { clientOfVariables, findProfile, type Profile } from './profiles.ts'
import { withRetryNotice } from './retry-notice.ts'
import { createSessionClient } from './session-client.ts'
import { textOfError } from './text-of-error.ts'

/** Runs a command line and returns the exit code of the command. After an error, prints it to standard error and returns 1. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  const { stdout, stderr } = terminal
  try {
    if (args.length === 1 && args[0] === '--version') {
      stdout.write(`${productVersion}\n`)
      return 0
    }
    const command = findCommand(args)
    if (!command) {
      if (args.length > 0 && !isHelp(args)) throw new UsageError(textOfUnknown(args))
      const members = membersOf(args)
      stdout.write(`${helpOf(members.length > 0 ? members : commands)}\n`)
      return 0
    }
    const rest = args.slice(command.name.split(' ').length)
    if (!isHelp(rest)) return await runCommand(command, runningOf(parse(command, rest), terminal))
    stdout.write(`${helpOfCommand(command)}\n`)
    return 0
  } catch (error) {
    stderr.write(`${textOfError(error)}\n`)
    return 1
  }
}

async function runCommand(command: Command, call: CommandCall): Promise<number> {
  try {
    return (await command.run(call)) ?? 0
  } catch (error) {
    throw error instanceof TrustwrightError ? new UsageError(textOfRefusal(error, adviceOf(command, call))) : error
  }
}

function textOfRefusal({ status, code, message, requestId }: TrustwrightError, advice: string): string {
  const facts = [status, code, requestId && `request ${requestId}`].filter(Boolean).join(', ')
  return `${message}${status === 401 ? `. ${advice}` : ''} (${facts})`
}

/** Returns what to do if the service refuses the client. */
function adviceOf({ name }: Command, call: CommandCall): string {
  if (name === 'login' && textOf(call, 'client-id') !== undefined) return 'Check --client-id and the secret'
  if (call.profile === undefined && clientOfVariables(call.terminal.env))
    return 'Check TRUSTWRIGHT_CLIENT_ID and TRUSTWRIGHT_CLIENT_SECRET'
  return 'Run "trustwright login" again'
}

function findCommand(args: string[]): Command | undefined {
  return commands.find(({ name }) => name.split(' ').every((word, position) => args[position] === word))
}

const isHelp = (args: string[]) => args.includes('--help') || args.includes('-h')

/** Options can have secrets, so that only the words before them are repeated. */
function textOfUnknown(args: string[]): string {
  const option = args.findIndex((each, index) => index > 0 && each.startsWith('-'))
  const words = option < 0 ? args : args.slice(0, option)
  const unknown = `There is no command "${words.join(' ')}".`
  const members = membersOf(args).map(({ name }) => name.split(' ').slice(1).join(' '))
  if (members.length > 0) return `${unknown} The commands of ${words[0]} are ${members.join(', ')}.`
  return `${unknown} "trustwright --help" lists the commands.`
}

/** Returns the commands of a group, such as `bulk`. */
function membersOf([group]: string[]): Command[] {
  return commands.filter(({ name }) => name.startsWith(`${group} `))
}

function parse({ name, usage, options }: Command, args: string[]): Arguments {
  const advice = `"trustwright ${name} --help" shows the options.`
  const parsed = parseOptions()
  const most = usage.includes('...') ? Number.POSITIVE_INFINITY : usage.split(' ').filter(Boolean).length
  const extra = parsed.positionals[most]
  if (extra !== undefined) throw new UsageError(`${name} has no argument "${extra}". ${advice}`)
  return parsed

  function parseOptions(): Arguments {
    try {
      return parseArgs({ args, options: { ...options, ...commonOptions }, allowPositionals: true })
    } catch (error) {
      const { message } = error as Error
      // Node.js adds how to write an argument with a dash.
      const [unknown = message] = /^Unknown option '[^']*'/.exec(message) ?? []
      throw new UsageError(`${unknown}. ${advice}`)
    }
  }
}

function runningOf(args: Arguments, terminal: Terminal): CommandCall {
  const profile = textOf(args, 'profile')
  const json = args.values.json === true
  return {
    ...args,
    terminal,
    profile,
    json,
    client: async (limits = {}, send = fetch) => clientOf(findProfile(terminal.env, profile), limits, send, terminal),
    print: (value, text) => void terminal.stdout.write(`${json ? JSON.stringify(value) : text}\n`),
  }
}

function clientOf(
  profile: Profile,
  { maxRetryMs = 30_000 }: Partial<RetryLimits>,
  plainSend: typeof fetch,
  { stderr }: Terminal,
): ApiClient {
  const { baseUrl } = profile
  const send = withRetryNotice(withApprovalNotice(withIgnoredNotice(plainSend, stderr), stderr), {
    baseUrl,
    maxRetryMs,
    stderr,
  })
  const options = { maxRetryMs, fetch: fetchFrom(baseUrl, send) }
  return 'cookie' in profile
    ? createSessionClient({ ...profile, ...options })
    : createTrustwright({ ...profile, ...options })
}
