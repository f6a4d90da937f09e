import { type Arguments, type Command, textOf, UsageError } from '../command.ts'

const minuteMs = 60_000

export const load: Command = {
  name: 'load',
  usage: '',
  summary: 'Measure how many credentials per second this installation issues',
  details: [
    'Needs a client of the platform. It creates a tenant of its own, and deletes it at the end. Each wallet collects SD-JWT VCs one after',
    'the other, with its own key. The exit code is 1 if a request failed.',
  ],
  options: {
    wallets: { type: 'string', value: 'N', help: 'The number of wallets at a time. Default: 10' },
    minutes: { type: 'string', value: 'M', help: 'The length of the test. Default: 1' },
    credentials: { type: 'string', value: 'N', help: 'End when N credentials are collected' },
    revocable: { type: 'boolean', help: 'Give each credential an entry in a status list' },
    deferred: { type: 'boolean', help: 'Let the service defer credentials that it cannot sign in time' },
    tenant: { type: 'string', value: 'ID', help: 'Use this tenant. Its records of the credentials stay' },
    'allow-production': { type: 'boolean', help: 'Allow a tenant of --tenant whose base URL is https' },
  },
  examples: [
    'trustwright load --profile platform --wallets 100 --minutes 5',
    'trustwright load --profile platform --credentials 1000 --revocable --json',
  ],
  async run(call) {
    const { values } = call
    const wallets = numberOf(call, 'wallets', { otherwise: 10, most: 10_000 })
    const minutes = numberOf(call, 'minutes', { otherwise: 1, most: 1_440, isDecimal: true })
    const credentials = numberOf(call, 'credentials', { otherwise: Number.POSITIVE_INFINITY, most: 100_000_000 })
    const tenantId = textOf(call, 'tenant')
    if (tenantId !== undefined && values.deferred === true)
      throw new UsageError('--deferred is a setting of the tenant. Use it without --tenant.')
    const { runLoad } = await import('../load/run-load.ts')
    return runLoad(call, {
      ...{ wallets, durationMs: minutes * minuteMs, credentials, tenantId },
      deferred: values.deferred === true,
      revocable: values.revocable === true,
      allowProduction: values['allow-production'] === true,
    })
  },
}

interface Range {
  otherwise: number
  most: number
  isDecimal?: boolean
}

/** Returns the number of an option. Throws a `UsageError` that has the range. */
function numberOf(args: Arguments, name: string, { otherwise, most, isDecimal = false }: Range): number {
  const text = textOf(args, name)
  if (text === undefined) return otherwise
  const value = (isDecimal ? /^\d{1,9}(\.\d{1,3})?$/ : /^\d{1,9}$/).test(text) ? Number(text) : 0
  if (value > 0 && value <= most) return value
  throw new UsageError(`--${name} must be a number${isDecimal ? ' above 0' : ' from 1'} and at most ${most}`)
}
