import { parseArgs } from 'node:util'
import { type ApiClient, createTrustwright, TrustwrightError } from '../../../shared/client/client.ts'
import type { RetryLimits } from '../../../shared/client/retries.ts'
import { type Arguments, type Command, type Running, type Terminal, textOf, UsageError } from './command.ts'
import { commands } from './commands.ts'
import { commonOptions, helpOf, helpOfCommand } from './help.ts'
import { findProfile, type Profile } from './profiles.ts'
import { createSessionClient } from './session-client.ts'

/** Runs a command line and returns the exit code of the command. After an error, prints it to standard error and returns 1. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  const { stdout, stderr } = terminal
  try {
    const command = findCommand(args)
    if (!command) {
      if (args.length > 0 && !isHelp(args)) throw new UsageError(`There is no command "${args.join(' ')}"`)
      stdout.write(`${helpOf(commands)}\n`)
      return 0
    }
    const rest = args.slice(command.name.split(' ').length)
    if (!isHelp(rest)) return (await command.run(runningOf(parse(command, rest), terminal))) ?? 0
    stdout.write(`${helpOfCommand(command)}\n`)
    return 0
  } catch (error) {
    stderr.write(`${messageOf(error)}\n`)
    return 1
  }
}

function findCommand(args: string[]): Command | undefined {
  return commands.find(({ name }) => name.split(' ').every((word, position) => args[position] === word))
}

const isHelp = (args: string[]) => args.includes('--help') || args.includes('-h')

function parse({ name, options }: Command, args: string[]): Arguments {
  try {
    return parseArgs({ args, options: { ...options, ...commonOptions }, allowPositionals: true })
  } catch (error) {
    throw new UsageError(`${(error as Error).message}. "trustwright ${name} --help" shows the options.`)
  }
}

function runningOf(given: Arguments, terminal: Terminal): Running {
  const profile = textOf(given, 'profile')
  const json = given.values.json === true
  return {
    ...given,
    terminal,
    profile,
    json,
    client: async (limits = {}, send = fetch) => clientOf(findProfile(terminal.env, profile), limits, send),
    print: (value, text) => void terminal.stdout.write(`${json ? JSON.stringify(value) : text}\n`),
  }
}

function clientOf(profile: Profile, limits: Partial<RetryLimits>, send: typeof fetch): ApiClient {
  if (!('cookie' in profile)) return createTrustwright({ ...profile, ...limits, fetch: send })
  return createSessionClient({ ...profile, maxRetryMs: 30_000, ...limits, fetch: send })
}

function messageOf(error: unknown): string {
  if (error instanceof TrustwrightError) {
    const { status, code, message, requestId } = error
    const advice = status === 401 ? '. Run "trustwright login" again' : ''
    return `${message}${advice} (${[status, code, requestId && `request ${requestId}`].filter(Boolean).join(', ')})`
  }
  if (error instanceof UsageError || !(error instanceof Error))
    return String(error instanceof Error ? error.message : error)
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${error.message}${cause}`
}
