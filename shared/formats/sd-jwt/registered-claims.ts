import { unixSeconds } from '../../clock.ts'
import { FormatError } from '../format-error.ts'
import type { PublicJwk } from '../jwk.ts'

/** The claims that a credential itself has. The caller has rounded the dates (`roundTime`). */
export interface CredentialFrame {
  readonly vct: string
  /** The hash of the type metadata (`integrityOf`). */
  readonly vctIntegrity?: string | undefined
  /** Additional types. They do not contain `vct`. An empty list is left out. */
  readonly akaVcts?: readonly string[] | undefined
  /** The issuer, only if it is not the subject of the certificate. */
  readonly issuer?: string | undefined
  readonly issuedAt: Date
  readonly notBefore?: Date | undefined
  readonly expiresAt?: Date | undefined
  /** The key of the wallet. Without it there is no key binding. */
  readonly holderJwk?: PublicJwk | undefined
  /** The entry in a token status list. */
  readonly status?: TokenStatusEntry | undefined
}

/** An entry in a token status list: its index from 0, and the URL of the list. */
export interface TokenStatusEntry {
  readonly idx: number
  readonly uri: string
}

/**
 * Builds the payload of an SD-JWT VC from its frame and the encoded claims (draft-ietf-oauth-sd-jwt-vc, section "JWT Claims Set"). Dates
 * are whole seconds. Throws `reserved_claim` if a claim has the name of a claim of the frame, also of one that is left out.
 */
export function buildPayload(
  frame: CredentialFrame,
  encoded: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { vct, vctIntegrity, akaVcts = [], issuer, issuedAt, notBefore, expiresAt, holderJwk, status } = frame
  const own = {
    iss: issuer,
    vct,
    'vct#integrity': vctIntegrity,
    aka_vcts: akaVcts.length > 0 ? akaVcts : undefined,
    iat: unixSeconds(issuedAt),
    nbf: notBefore && unixSeconds(notBefore),
    exp: expiresAt && unixSeconds(expiresAt),
    // HAIP 1.0, section 6.1: the key is in the member `jwk`.
    cnf: holderJwk && { jwk: holderJwk },
    status: status && statusClaim(status),
  }
  if (Object.keys(own).some((name) => Object.hasOwn(encoded, name))) {
    throw new FormatError('reserved_claim', 'a claim has a name that the credential itself uses')
  }
  const present = Object.entries(own).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(present), ...encoded }
}

/** The claim `status` (draft-ietf-oauth-status-list, section 6.2). */
function statusClaim({ idx, uri }: TokenStatusEntry): { status_list: TokenStatusEntry } {
  return { status_list: { idx, uri } }
}
