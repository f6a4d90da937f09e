import type { Tenant } from '../../../access/subjects.ts'
import type { Deps } from '../../../deps.ts'
import type { AttributedIds } from '../../../http/attributed-ids.ts'
import type { OAuthClient } from '../../wallets/wallet-authentication.ts'
import type { TokenRequest, TokenResponse } from '../schemas.ts'

/** The checked request that the token endpoint passes to a grant. */
export interface TokenCall {
  deps: Deps
  tenant: Tenant
  request: TokenRequest
  client: OAuthClient
  /** The thumbprint of the checked DPoP key. Null without a proof. */
  dpopJkt: string | null
  /** Attributes the request to an offer for its timeline. Call it before a refusal. */
  attribute(offerId: string | null | undefined, names?: AttributedIds): void
}

export interface Granted {
  response: TokenResponse
  /** The id of the access token. */
  sessionId: string
}

export type Grant = (call: TokenCall) => Promise<Granted>
