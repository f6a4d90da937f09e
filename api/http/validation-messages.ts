import type { z } from 'zod'

type Issue = z.core.$ZodIssue
type RawIssue = z.core.$ZodRawIssue

/** Returns the message of a refused value, unless the schema has its own message. It states the requirement and never the value. */
export function validationMessage(issue: RawIssue): string {
  if (issue.input === undefined && issue.code !== 'custom') return 'Required'
  switch (issue.code) {
    case 'invalid_type':
      return `Must be ${kinds[issue.expected] ?? 'of another type'}`
    case 'invalid_value':
      return oneOf(issue.values)
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return `Must ${bounded(issue, issue.maximum, 'at most', 'less than')}`
    case 'not_multiple_of':
      return `Must be a multiple of ${issue.divisor}`
    case 'invalid_format':
      return `Must be ${formats[issue.format] ?? 'in another format'}`
    case 'unrecognized_keys':
      return unknownMember
    case 'invalid_key':
      return `Invalid member name: ${issue.issues[0]?.message ?? 'not acceptable'}`
    case 'invalid_union':
      return issue.discriminator === undefined
        ? anyOf(issue.errors)
        : oneOf(Array.isArray(issue.options) ? issue.options : [])
    default:
      return 'Not acceptable'
  }
}

const unknownMember = 'Unknown member'

const kinds: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  tuple: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

const formats: Record<string, string> = {
  uuid: 'a UUID',
  url: 'an absolute URL',
  email: 'an email address',
  date: 'a date such as 2026-01-31',
  datetime: 'a date and time such as 2026-01-31T12:00:00Z',
  base64: 'base64',
  base64url: 'base64url',
}

const maxNamed = 50

function oneOf(values: readonly unknown[]): string {
  const named = values.slice(0, maxNamed).map(String)
  const more = values.length > named.length ? ', …' : ''
  return named.length === 1 ? `Must be ${named[0]}` : `Must be one of ${named.join(', ')}${more}`
}

interface Sized {
  origin: string
  exact?: boolean | undefined
  inclusive?: boolean | undefined
}

function tooSmall(issue: Sized & { minimum: number | bigint }): string {
  if (issue.origin in units && issue.minimum === 1 && !issue.exact) return 'Must not be empty'
  return `Must ${bounded(issue, issue.minimum, 'at least', 'more than')}`
}

const units: Record<string, string> = { string: 'character', array: 'item' }

function bounded({ origin, exact, inclusive }: Sized, bound: number | bigint, within: string, beyond: string): string {
  const unit = units[origin]
  const how = exact ? 'exactly ' : `${inclusive === false ? beyond : within} `
  if (unit) return `have ${how}${bound} ${unit}${Number(bound) === 1 ? '' : 's'}`
  return `be ${exact ? '' : how}${bound}`
}

/** Returns the message of a union: the types that it accepts. */
function anyOf(options: Issue[][]): string {
  const messages = options.flatMap((issues) => issues.filter(isOfWhole).map(({ message }) => message))
  const accepted = [...new Set(messages)].filter((each) => each.startsWith(must)).map((each) => each.slice(must.length))
  return accepted.length > 0 ? `${must}${accepted.join(', or ')}` : 'Not acceptable'
}

const must = 'Must be '

/** Whether the issue is about the whole value. */
const isOfWhole = ({ path }: Issue) => path.length === 0

/**
 * Splits issues into one per field. Unknown members get one issue each. A value of a union that matches the type of one option gets the
 * issues of this option.
 */
export function fieldIssues(issues: readonly Issue[], path: PropertyKey[] = []): Issue[] {
  return issues.flatMap((issue): Issue[] => {
    const whole = { ...issue, path: [...path, ...issue.path] }
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ ...whole, path: [...whole.path, key], message: unknownMember }))
    if (issue.code !== 'invalid_union' || issue.message !== anyOf(issue.errors)) return [whole]
    const fitting = issue.errors.filter((errors) => !errors.some((each) => isOfWhole(each) && isOfKind(each)))
    return fitting.length === 1 && fitting[0] ? fieldIssues(fitting[0], whole.path) : [whole]
  })
}

const isOfKind = ({ code }: Issue) => code === 'invalid_type' || code === 'invalid_value' || code === 'invalid_union'
