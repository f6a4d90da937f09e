import { findOAuthClientByClientId, type OAuthClientRow } from '../../../db/repos/issuance/wallets.ts'
import { Problem } from '../../../shared/errors.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import type { Headers } from '../../http/route.ts'
import { attestedClientId, checkClientAttestation, hasClientAttestation } from '../proofs/client-attestation.ts'
import { checkDpop, nextNonce } from '../proofs/dpop.ts'

/** The client behind a request to the token or PAR endpoint. */
export interface OAuthClient {
  /** Null for an anonymous wallet, which the pre-authorized grant admits. */
  clientId: string | null
  /** Of its registration; null for one that nobody registered. */
  registrationId: string | null
  /** Thumbprint of the attested key of this instance of the client; null where none was attested. */
  instanceJkt: string | null
}

export interface AuthenticatedWallet {
  client: OAuthClient
  /** Thumbprint of the key of the DPoP proof; null without one. */
  dpopJkt: string | null
  /** For the answer. */
  headers: Record<string, string>
}

export interface ClientRequest {
  deps: Deps
  tenant: Tenant
  headers: Headers
  method: string
  url: string
  rawBody: Buffer
}

/**
 * Finds out which client calls, by all that its registration and the tenant's profile ask it to prove. A pushed request may
 * name its key by `dpop_jkt` instead of proving it (RFC 9449, section 10.1); at the token endpoint it is proven.
 */
export async function authenticateWallet(
  { deps, tenant, rawBody, ...request }: ClientRequest,
  namedId: string | undefined,
  at: 'par' | 'token',
): Promise<AuthenticatedWallet> {
  // A wallet that is attested may leave it to its attestation to say which client it is.
  const clientId = namedId ?? attestedClientId(request.headers)

  const proof = await checkDpop(deps, tenant, { ...request, rawBody: async () => rawBody }, 'server')
  const dpopJkt = proof?.jkt ?? null
  const registered =
    clientId === undefined ? undefined : await findOAuthClientByClientId(deps.db.read, tenant.id, clientId)
  if (at === 'token' && dpopJkt === null && (registered?.dpopRequired || tenant.profile === 'haip')) {
    throw new Problem('invalid_dpop_proof', {
      message: 'A DPoP proof is needed',
      headers: nextNonce(deps, tenant, 'server'),
    })
  }
  const instanceJkt = await instanceOf(deps, tenant, registered, request.headers, dpopJkt)
  const client = { clientId: clientId ?? null, registrationId: registered?.id ?? null, instanceJkt }
  return { client, dpopJkt, headers: nextNonce(deps, tenant, 'server') }
}

/** The attested key, where the client has to have one, or has one and says so. */
async function instanceOf(
  deps: Deps,
  tenant: Tenant,
  registered: OAuthClientRow | undefined,
  headers: Headers,
  dpopJkt: string | null,
): Promise<string | null> {
  const isTold = hasClientAttestation(headers) && (registered?.attestation.rootCertificates.length ?? 0) > 0
  if (registered && (registered.attestation.required || isTold)) {
    return checkClientAttestation(deps, tenant, registered, headers, dpopJkt)
  }
  // HAIP 1.0, section 4.4.1: every wallet is attested.
  if (tenant.profile === 'haip') throw new Problem('invalid_client')
  return null
}
