import type { ApiClient } from '../../../../../shared/client/client.ts'

/** The input of the checks of `trustwright doctor --go-live`. */
export interface GoLive {
  client: ApiClient
  baseUrl: string
  /** The settings of the service, where the command runs with them. */
  env: NodeJS.ProcessEnv
  /** The path of the profiles of the command line. */
  profiles: string
  /** The URL of a Prometheus. */
  prometheus: string | undefined
  /** The folder of a backup. */
  backup: string | undefined
}
