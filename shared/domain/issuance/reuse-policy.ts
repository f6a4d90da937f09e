/**
 * The methods by which a wallet avoids to be linked, in the spelling of the metadata (ARF, annex 2, topic 10: methods A to D). The first two are
 * base methods, of which a policy has exactly one.
 */
export const reuseMethods = ['once_only', 'limited_time', 'rotating-batch', 'per-relying-party'] as const

export type ReuseMethod = (typeof reuseMethods)[number]

/** How wallets use and renew the credentials of a configuration (ETSI TS 119 472-3, section 4.2.4.2). */
export interface ReusePolicy {
  /** The preferred one first. */
  options: ReuseOption[]
}

export interface ReuseOption {
  methods: ReuseMethod[]
  /** The number of credentials in a batch. */
  batchSize?: number
  /** The wallet requests the next batch when only so many are unused. */
  reissueTriggerUnused?: number
  /** The wallet requests the next ones so many seconds before the end of the credential. */
  reissueTriggerLifetimeLeft?: number
}

type Trigger = Exclude<keyof ReuseOption, 'methods'>

const required: Record<ReuseMethod, readonly Trigger[]> = {
  once_only: ['batchSize', 'reissueTriggerUnused'],
  limited_time: ['reissueTriggerLifetimeLeft'],
  'rotating-batch': ['batchSize', 'reissueTriggerLifetimeLeft'],
  'per-relying-party': ['batchSize', 'reissueTriggerUnused', 'reissueTriggerLifetimeLeft'],
}

export interface ReuseFault {
  path: (string | number)[]
  message: string
}

/** Returns each rule of the policy that wallets check and that it does not follow. */
export function reuseFaults({ options }: ReusePolicy): ReuseFault[] {
  const methods = options.flatMap((option) => option.methods)
  const bases = methods.filter((method) => method === 'once_only' || method === 'limited_time')
  const ofAll =
    new Set(methods).size < methods.length
      ? [{ path: ['options'], message: 'Each method must occur once' }]
      : bases.length === 1
        ? []
        : [{ path: ['options'], message: 'Must have exactly one of the methods once_only and limited_time' }]
  return [...ofAll, ...options.flatMap((option, at) => faultsOf(option, at))]
}

function faultsOf(option: ReuseOption, at: number): ReuseFault[] {
  const { methods, batchSize = Number.POSITIVE_INFINITY, reissueTriggerUnused = 0 } = option
  const missing = methods.flatMap((method) =>
    required[method]
      .filter((member) => option[member] === undefined)
      .map((member) => ({ path: ['options', at, member], message: `Required by the method ${method}` })),
  )
  if (reissueTriggerUnused < batchSize) return missing
  return [...missing, { path: ['options', at, 'reissueTriggerUnused'], message: 'Must be less than batchSize' }]
}

/** Returns the largest batch of a policy. Returns undefined if it has no batches. */
export function largestBatchIn({ options }: ReusePolicy): number | undefined {
  const sizes = options.flatMap(({ batchSize }) => batchSize ?? [])
  return sizes.length === 0 ? undefined : Math.max(...sizes)
}
