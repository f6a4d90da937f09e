import { type Arguments, type Option, textOf, UsageError } from './command.ts'

export const lifetimeOption: Option = {
  type: 'string',
  value: 'TIME',
  help: 'How long links are valid, such as 30d or 12h',
}

/** Returns the lifetime of `--expires-in` as the API has it, such as `{days: 30}`. Throws a `UsageError` that names the option. */
export function lifetimeOf(args: Arguments): { days: number } | { hours: number } | undefined {
  const text = textOf(args, 'expires-in')
  if (text === undefined) return undefined
  const [, count, unit] = /^(\d{1,6})([hd])$/.exec(text) ?? []
  if (count === undefined) throw new UsageError('--expires-in must be a time such as 30d or 12h')
  return unit === 'd' ? { days: Number(count) } : { hours: Number(count) }
}
