import type { KeyObject } from 'node:crypto'
import type { PublicJwk } from '../../../shared/formats/jwk.ts'

/** What every credential profile is built from, whatever its format. */
export interface SigningInput extends Copy {
  readonly issuerDid: string
  readonly key: IssuerKey
  readonly type: string
  /** Parsed JSON in the order of the configuration. */
  readonly claims: Readonly<Record<string, unknown>>
  /** `sub` and `aud` of a CWT; the JSON-LD profile has no `aud`, and a subject's id without a holder. */
  readonly subject?: string | undefined
  readonly audience?: string | undefined
  readonly issuedAt: Date
  readonly validFrom: Date
  readonly validUntil?: Date | undefined
}

/** What each of several copies has for itself. */
export interface Copy {
  /** A UUID. */
  readonly credentialId: string
  /** The proof key of the wallet, and its DID where the wallet named one. */
  readonly holder?: { readonly jwk: PublicJwk; readonly did?: string | undefined } | undefined
  /** Place in a revocation list, for revocable credentials. */
  readonly status?: { readonly index: number; readonly url: string } | undefined
}

export interface IssuerKey {
  /** The DID URL of the key, `issuerDid#kid`. */
  readonly keyId: string
  readonly kid: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}
