import { findWalletProviderRoots } from '../../../db/repos/issuance/wallet-providers.ts'
import { findOAuthClientByClientId, type OAuthClientRow } from '../../../db/repos/issuance/wallets.ts'
import { Problem } from '../../../shared/errors.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import type { Headers } from '../../http/route.ts'
import { checkDpop, nextNonce } from '../../proofs/dpop.ts'
import {
  type AttestedClient,
  attestedClientId,
  checkClientAttestation,
  hasClientAttestation,
} from '../proofs/client-attestation.ts'

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
  const attested = { clientId, registered, headers: request.headers, dpopJkt }
  const instanceJkt = await instanceOf(deps, tenant, attested)
  const client = { clientId: clientId ?? null, registrationId: registered?.id ?? null, instanceJkt }
  return { client, dpopJkt, headers: nextNonce(deps, tenant, 'server') }
}

interface Attested {
  clientId: string | undefined
  registered: OAuthClientRow | undefined
  headers: Headers
  dpopJkt: string | null
}

/** The attested key, where the client has to have one, or has one and says so to somebody who can tell. */
async function instanceOf(
  deps: Deps,
  tenant: Tenant,
  { clientId, registered, headers, dpopJkt }: Attested,
): Promise<string | null> {
  const isTold = hasClientAttestation(headers)
  const rules = isTold || registered?.attestation.required ? await rulesFor(deps, tenant, registered) : undefined
  if (registered?.attestation.required && !rules) throw new Problem('invalid_client')
  if (clientId !== undefined && rules)
    return checkClientAttestation(deps, tenant, { clientId, ...rules }, headers, dpopJkt)
  // HAIP 1.0, section 4.4.1: every wallet is attested.
  if (tenant.profile === 'haip') throw new Problem('invalid_client')
  return null
}

/**
 * By which an attestation is checked: the client's own roots where it was registered with some; else those of the tenant's wallet
 * providers, whose wallets need none. Undefined where there are neither.
 */
export async function rulesFor(
  deps: Deps,
  tenant: Tenant,
  registered: OAuthClientRow | undefined,
): Promise<Pick<AttestedClient, 'roots' | 'possession'> | undefined> {
  if (registered && registered.attestation.rootCertificates.length > 0) {
    const { rootCertificates: roots, dpopRequired } = registered.attestation
    return { roots, possession: dpopRequired ? 'dpop' : 'pop' }
  }
  const roots = await findWalletProviderRoots(deps.db.read, tenant.id)
  return roots.length > 0 ? { roots, possession: 'either' } : undefined
}
