import { findWalletProviderRoots } from '../../../db/repos/issuance/wallet-providers.ts'
import { findOAuthClientByClientId, type OAuthClientRow } from '../../../db/repos/issuance/wallets.ts'
import { followsHaip } from '../../../shared/domain/tenancy/protocol-profiles.ts'
import { Problem } from '../../../shared/errors/errors.ts'
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

/** The client of a request to the token, revocation or PAR endpoint. */
export interface OAuthClient {
  /** Null for an anonymous wallet, which the pre-authorized grant admits. */
  clientId: string | null
  /** The id of the registration. Null for an unregistered client. */
  registrationId: string | null
  /** The thumbprint of the attested key of this client instance. Null without an attestation. */
  instanceJkt: string | null
}

export interface AuthenticatedWallet {
  client: OAuthClient
  /** The thumbprint of the DPoP key. Null without a proof. */
  dpopJkt: string | null
  /** The headers to add to the response. */
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
 * Authenticates the client by all proofs that its registration and the tenant's profile require. A pushed request may
 * name its key by `dpop_jkt` instead of proving it (RFC 9449, section 10.1). The token endpoint requires the proof. The revocation endpoint
 * requires it for a token that is bound to a key.
 */
export async function authenticateWallet(
  { deps, tenant, rawBody, ...request }: ClientRequest,
  namedId: string | undefined,
  at: 'par' | 'token' | 'revocation',
): Promise<AuthenticatedWallet> {
  // An attested wallet may omit `client_id`. Then its attestation names the client.
  const clientId = namedId ?? attestedClientId(request.headers)

  const proof = await checkDpop(deps, tenant, { ...request, rawBody: async () => rawBody }, 'server')
  const dpopJkt = proof?.jkt ?? null
  const registered =
    clientId === undefined ? undefined : await findOAuthClientByClientId(deps.db.read, tenant.id, clientId)
  if (at === 'token' && dpopJkt === null && (registered?.dpopRequired || followsHaip(tenant.profile))) {
    throw new Problem('invalid_dpop_proof', {
      message: 'A DPoP proof is required',
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

/**
 * Returns the attested key of the instance. Checks the attestation if the client must have one, or if it sends one and
 * the tenant has trusted certificates.
 */
async function instanceOf(
  deps: Deps,
  tenant: Tenant,
  { clientId, registered, headers, dpopJkt }: Attested,
): Promise<string | null> {
  const isAttested = hasClientAttestation(headers)
  const rules = isAttested || registered?.attestation.required ? await rulesFor(deps, tenant, registered) : undefined
  if (registered?.attestation.required && !rules) throw new Problem('invalid_client')
  if (clientId !== undefined && rules)
    return checkClientAttestation(deps, tenant, { clientId, ...rules }, headers, dpopJkt)
  // HAIP 1.0, section 4.4.1: every wallet is attested.
  if (followsHaip(tenant.profile)) throw new Problem('invalid_client')
  return null
}

/**
 * Returns the rules for the check of an attestation: the roots of the registered client, otherwise those of the
 * tenant's wallet providers, whose wallets need no registration. Returns undefined if there are no roots.
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
