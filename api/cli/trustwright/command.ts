import type { ParseArgsConfig } from 'node:util'
import type { Trustwright } from '../../../shared/client/client.ts'

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

export interface Running extends Arguments {
  terminal: Terminal
  /** The options of all commands. */
  profile: string | undefined
  json: boolean
  /** Returns a client of the chosen profile. Throws a `UsageError` if there is none. */
  client(): Promise<Trustwright>
  /** Prints a result: with `--json` the value, otherwise the text. */
  print(value: unknown, text: string): void
}

export interface Command {
  /** Such as `offers create`. */
  name: string
  /** The arguments after the name, such as `METHOD PATH`. */
  usage: string
  summary: string
  options: Record<string, Options[string] & { help: string; value?: string }>
  examples: string[]
  run(running: Running): Promise<void>
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

/** Parses the JSON of an option. Throws a `UsageError` that names the option. */
export function jsonOf(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${name} is not JSON: ${(error as Error).message}`)
  }
}
