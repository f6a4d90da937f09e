/** The result of a check of `trustwright doctor`. */
export interface Finding {
  check: string
  /** `skipped`: the check does not apply, or the roles of the client do not permit it. */
  status: 'ok' | 'warning' | 'error' | 'skipped'
  message: string
}

/** A check. An error that it throws is a finding with the status `error`. */
export interface Check {
  name: string
  run(): Promise<Omit<Finding, 'check'> | Omit<Finding, 'check'>[]>
}

export const ok = (message: string) => ({ status: 'ok', message }) as const
export const warning = (message: string) => ({ status: 'warning', message }) as const
export const failure = (message: string) => ({ status: 'error', message }) as const
export const skipped = (message: string) => ({ status: 'skipped', message }) as const
