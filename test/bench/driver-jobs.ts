/** Jobs of the load driver and their results. */
export const steps = ['offer', 'authorize', 'login', 'token', 'nonce', 'credential'] as const
export type Step = (typeof steps)[number]

/** With a pre-authorized code, with a pre-authorized code and tokens bound to a key, or with a sign-in. */
export type FlowKind = 'pre-authorized' | 'DPoP' | 'authorization code'

export interface Target {
  origin: string
  /** The origins of several web processes. The lanes use them in turn. */
  origins?: string[]
  /** The issuer identifier, the audience of proofs. */
  issuer: string
  /** The id of the view whose issuer identifier `issuer` is. Absent: the tenant itself. */
  view?: string
  token: string
}

export interface FlowsJob extends Target {
  kind: 'flows'
  flow: FlowKind
  configurationId: string
  /** The first characters of the credentials. */
  begins: string
  /** The size of a picture among the claims. */
  portraitBytes?: number
  /** Collects a credential for each key of one key attestation. Absent: one credential, for a proof of type `jwt`. */
  batch?: Batch
  /**
   * The maximum number of flows. The time limit can end the job earlier. Jobs travel as JSON, which has no Infinity:
   * absent means no limit.
   */
  flows: number
  withinMs?: number
  concurrency: number
  /** The pause of each lane after a flow. Absent: no pause. */
  pauseMs?: number
}

export interface Batch {
  keys: number
  /** The private key is PKCS #8, in base64. */
  attester: { x5c: string[]; privateKey: string }
}

export interface CallsJob extends Target {
  kind: 'calls'
  /** The driver makes each call once. With `withinMs` it repeats the calls until the time is over. */
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

/** Latencies in milliseconds, and the total time. */
export interface DriverResult {
  count: number
  seconds: number
  latencies: Record<string, Percentiles>
}
