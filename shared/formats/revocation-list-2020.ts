import { credentialsContext, revocationListContext } from './json-ld-contexts.ts'

/** The content of a RevocationList2020Credential. */
export interface RevocationList2020Input {
  /** The URL of the list, as in `revocationListCredential` of credentials. */
  readonly url: string
  /** The DID of the issuer. */
  readonly issuer: string
  /** Rounded down to whole seconds. */
  readonly issuedAt: Date
  /** The bits of the list (`bitsOf`), in gzip. */
  readonly compressedBits: Uint8Array
}

/** Builds an unsigned list of w3c-ccg.github.io/vc-status-rl-2020. */
export function buildRevocationList2020({ url, issuer, issuedAt, compressedBits }: RevocationList2020Input) {
  return {
    '@context': [credentialsContext, revocationListContext],
    id: url,
    type: ['VerifiableCredential', 'RevocationList2020Credential'],
    issuer,
    issuanceDate: `${issuedAt.toISOString().slice(0, 19)}Z`,
    credentialSubject: {
      id: `${url}#list`,
      type: 'RevocationList2020',
      encodedList: Buffer.from(compressedBits).toString('base64url'),
    },
  }
}
