import type { BytesSigner } from '../../../shared/formats/bytes-signer.ts'
import type { PublicJwk } from '../../../shared/formats/jwk.ts'

/** The input of every credential profile. */
export interface SigningInput extends Copy {
  readonly issuerDid: string
  readonly key: IssuerKey
  readonly type: string
  /** Parsed JSON in the order of the configuration. */
  readonly claims: Readonly<Record<string, unknown>>
  /** `sub` and `aud` of a CWT. The JSON-LD profile has no `aud`, and uses the subject if there is no holder. */
  readonly subject?: string | undefined
  readonly audience?: string | undefined
  readonly issuedAt: Date
  readonly validFrom: Date
  readonly validUntil?: Date | undefined
}

/** The input of one copy. */
export interface Copy {
  /** A UUID. */
  readonly credentialId: string
  /** The proof key of the wallet, and its DID if the wallet sent one. */
  readonly holder?: { readonly jwk: PublicJwk; readonly did?: string | undefined } | undefined
  /** The status index, for revocable credentials. */
  readonly status?: { readonly index: number; readonly url: string } | undefined
}

export interface IssuerKey {
  /** The DID URL of the key, `issuerDid#kid`. */
  readonly keyId: string
  readonly kid: string
  readonly signer: BytesSigner
}
