import type { ProblemOptions } from '../../shared/errors/errors.ts'
import type { Deps } from '../deps.ts'
import type { Tenant } from './subjects.ts'

/** A verified access token of an authorization server of the tenant. Its DPoP proof is not checked yet. */
export interface ExternalToken {
  /** The thumbprint of the key to which it is bound. Null for a bearer token. */
  dpopJkt: string | null
  /** The id that its session has or will have. */
  sessionId: string
  tokenHash: string
  /** Creates its session. Returns false if a session was created before, which can have ended. */
  create(): Promise<boolean>
}

/**
 * Returns an access token that is not one of this service, if an authorization server of the tenant issued it. Throws the problem of
 * `refuse` for a token that is not acceptable, and `service_unavailable` if the server is needed and does not answer.
 */
export type FindExternalToken = (
  deps: Deps,
  tenant: Tenant,
  token: string,
  refuse: (options: ProblemOptions) => Error,
) => Promise<ExternalToken | undefined>
