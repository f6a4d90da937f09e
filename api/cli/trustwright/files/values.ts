import jsonc from 'jsonc-parser'
import { isJsonObject } from '../../../../shared/formats/json-object.ts'
import { type CommandCall, textOf, textsOf, UsageError } from '../command.ts'
import { faultAt, type LocalFileFault } from './faults.ts'
import { readText } from './read-text.ts'
import { type TenantFile, visitObjects } from './tenant-file.ts'

type Values = Record<string, string>

/** A file can name only environment variables that are meant for files. Others can have secrets of the machine, which plans would show. */
const variablePrefix = 'TRUSTWRIGHT_VAR_'

/** Returns the values of the variables and secrets that the files name, and a fault for each place without a value. */
export function valuesOf(
  files: ReadonlyMap<string, TenantFile>,
  call: CommandCall,
): { variables: Values; secrets: Values; faults: LocalFileFault[] } {
  const { env } = call.terminal
  const variableValues = variablesOf(call)
  const faults: LocalFileFault[] = []
  const find = (member: '$var' | '$secret', lookUp: (name: string) => string | undefined, advice: Advice): Values => {
    const values: Values = {}
    for (const { name, file, path } of placesOf(files, member)) {
      const value = lookUp(name)
      if (value === undefined) faults.push(faultAt(file, path, advice(name)))
      else values[name] = value
    }
    return values
  }
  const variables = find(
    '$var',
    (name) => (Object.hasOwn(variableValues, name) ? variableValues[name] : env[variablePrefix + name]),
    (name) =>
      `The variable ${name} has no value. Set it with --var or --var-file, or as the environment variable ${variablePrefix}${name}.`,
  )
  const secrets = find(
    '$secret',
    (name) => env[name],
    (name) => `The secret ${name} has no value. Set it as the environment variable ${name}.`,
  )
  return { variables, secrets, faults }
}

type Advice = (name: string) => string

interface Place {
  name: string
  file: TenantFile
  /** The dotted path of the member. */
  path: string
}

/** Returns the places where the files name variables or secrets. */
function placesOf(files: ReadonlyMap<string, TenantFile>, member: '$var' | '$secret'): Place[] {
  const places: Place[] = []
  for (const file of files.values())
    visitObjects(file.content, (value, path) => {
      const name = Reflect.get(value, member)
      if (typeof name === 'string') places.push({ name, file, path })
    })
  return places
}

function variablesOf(call: CommandCall): Values {
  const file = textOf(call, 'var-file')
  const pairs = textsOf(call, 'var').map((text): [string, string] => {
    const at = text.indexOf('=')
    if (at < 1) throw new UsageError('--var must be NAME=VALUE')
    return [text.slice(0, at), text.slice(at + 1)]
  })
  return { ...(file === undefined ? {} : readVariables(file)), ...Object.fromEntries(pairs) }
}

function readVariables(file: string): Values {
  const errors: jsonc.ParseError[] = []
  const read: unknown = jsonc.parse(readText(file), errors, { allowTrailingComma: true })
  const isMap = isJsonObject(read) && Object.values(read).every((each) => typeof each === 'string')
  if (errors.length > 0 || !isMap) throw new UsageError(`${file} must be a JSON object of texts`)
  return read as Values
}
