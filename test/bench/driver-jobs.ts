/** What the load driver is asked for, and what it answers. */
export const steps = ['offer', 'authorize', 'login', 'token', 'nonce', 'credential'] as const
export type Step = (typeof steps)[number]

/** From a pre-authorized code, the same with tokens that are bound to a key, or from a sign-in. */
export type FlowKind = 'pre-authorized' | 'DPoP' | 'authorization code'

export interface Target {
  origin: string
  /** Where there are several processes to ask: the lanes take them in turn. */
  origins?: string[]
  /** The issuer identifier, which proofs are for. */
  issuer: string
  token: string
}

export interface FlowsJob extends Target {
  kind: 'flows'
  flow: FlowKind
  configurationId: string
  /** How its credentials begin. */
  begins: string
  /** Of a picture among the claims, where there is one. */
  portraitBytes?: number
  /** At most; fewer when the time is over. Jobs travel as JSON, which has no Infinity: absent means no limit. */
  flows: number
  withinMs?: number
  concurrency: number
}

export interface CallsJob extends Target {
  kind: 'calls'
  /** Each once; for as long as is said, over and over. */
  calls: { method: 'GET' | 'POST' | 'PUT'; path: string; body?: unknown }[]
  withinMs?: number
  concurrency: number
}

export type DriverJob = FlowsJob | CallsJob

export interface Percentiles {
  p50: number
  p95: number
  p99: number
}

/** Latencies in milliseconds, and how long all of it took. */
export interface DriverResult {
  count: number
  seconds: number
  latencies: Record<string, Percentiles>
}
