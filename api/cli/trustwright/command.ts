import type { ParseArgsConfig } from 'node:util'
import type { ApiClient } from '../../../shared/client/client.ts'
import type { RetryLimits } from '../../../shared/client/retries.ts'

type Options = NonNullable<ParseArgsConfig['options']>

/** The values of the options and the arguments of a command. */
export interface Arguments {
  values: Record<string, string | boolean | (string | boolean)[] | undefined>
  positionals: string[]
}

/** The environment in which a command runs. */
export interface Terminal {
  env: NodeJS.ProcessEnv
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
}

export interface CommandCall extends Arguments {
  terminal: Terminal
  /** The options of all commands. */
  profile: string | undefined
  json: boolean
  /** Returns a client of the chosen profile. Throws a `UsageError` if there is none. `send` replaces the global `fetch`. */
  client(limits?: Partial<RetryLimits>, send?: typeof fetch): Promise<ApiClient>
  /** Prints a result: with `--json` the value, otherwise the text. */
  print(value: unknown, text: string): void
}

export type Option = Options[string] & {
  help: string
  /** The name of the value, such as ID. The values of FILE are completed with files. */
  value?: string
  /** All possible values. */
  choices?: readonly string[]
}

export interface Command {
  /** Such as `offers create`. */
  name: string
  /** The arguments after the name, such as `METHOD PATH`. */
  usage: string
  summary: string
  options: Record<string, Option>
  /** More lines of the help. */
  details?: string[]
  examples: string[]
  /** Returns the exit code. Default: 0. */
  run(call: CommandCall): Promise<number | undefined>
}

/** A command line that cannot be run. The message says what to change. */
export class UsageError extends Error {}

/** Returns the text value of an option. */
export function textOf({ values }: Arguments, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

/** Returns the values of an option that can be repeated. */
export function textsOf({ values }: Arguments, name: string): string[] {
  const value = values[name]
  return Array.isArray(value) ? value.map(String) : []
}

/** Returns the value of an option that has choices. Throws a `UsageError` that names them. */
export function choiceOf<Choice extends string>(
  args: Arguments,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const text = textOf(args, name)
  const choice = choices.find((each) => each === text)
  if (text !== undefined && !choice)
    throw new UsageError(`--${name} must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`)
  return choice
}

/** Parses the JSON of an option. Throws a `UsageError` that names the option. */
export function jsonOf(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${name} is not JSON: ${(error as Error).message}`)
  }
}

const dayMs = 86_400_000

/** Returns the time of `--ending`, such as 60d, in milliseconds. Without the option there is no limit. */
export function withinMsOf(args: Arguments): number {
  const text = textOf(args, 'ending')
  if (text === undefined) return Number.POSITIVE_INFINITY
  const [, days] = /^(\d{1,5})d?$/.exec(text) ?? []
  if (days === undefined) throw new UsageError('--ending must be a number of days, such as 60d')
  return Number(days) * dayMs
}
