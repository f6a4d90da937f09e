import type { Tenant } from '../../../access/subjects.ts'
import type { Deps } from '../../../deps.ts'
import type { AttributedIds } from '../../../http/attributed-ids.ts'
import type { OAuthClient } from '../../wallets/wallet-authentication.ts'
import type { TokenRequest, TokenResponse } from '../schemas.ts'

/** What the token endpoint has found out when it hands the request to a grant. */
export interface TokenCall {
  deps: Deps
  tenant: Tenant
  request: TokenRequest
  client: OAuthClient
  /** Thumbprint of the key of the DPoP proof, which was checked; null without one. */
  dpopJkt: string | null
  /** Says which offer this is about, for its timeline; before anything is refused. */
  attribute(offerId: string | null | undefined, names?: AttributedIds): void
}

export interface Granted {
  response: TokenResponse
  /** Of the access token. */
  sessionId: string
}

export type Grant = (call: TokenCall) => Promise<Granted>
