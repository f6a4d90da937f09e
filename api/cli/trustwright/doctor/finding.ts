/** The result of a check of `trustwright doctor`. */
export interface DoctorFinding {
  check: string
  /** `skipped`: the check does not apply, or the roles of the client do not permit it. */
  status: 'ok' | 'warning' | 'error' | 'skipped'
  message: string
  /** The section of the documentation that says what to do. */
  see?: string
}

/** A check. An error that it throws is a finding with the status `error`. */
export interface DoctorCheck {
  name: string
  /** The section of the documentation that says what to do after a finding that is not `ok`. */
  see?: string
  run(): Promise<Omit<DoctorFinding, 'check'> | Omit<DoctorFinding, 'check'>[]>
}

export const passedCheck = (message: string) => ({ status: 'ok', message }) as const
export const warnedCheck = (message: string) => ({ status: 'warning', message }) as const
export const failedCheck = (message: string) => ({ status: 'error', message }) as const
export const skippedCheck = (message: string) => ({ status: 'skipped', message }) as const
/** The message says why the check cannot be made from here. */
export const notChecked = (reason: string) => skippedCheck(`Not checked: ${reason}`)
