import type { Clock } from '../../../shared/clock.ts'
import type { Secrets } from '../../../shared/secrets/secrets.ts'
import type { Keyring } from '../keys/keyring.ts'

/** The installation in which a command moves a tenant. */
export interface Installation {
  databaseUrl: string
  secrets: Secrets
  keyring: Keyring
  clock: Clock
  /** Prints a line for the operator. */
  print(line: string): void
}
