import { credentialsContext, revocationListContext } from './json-ld-contexts.ts'

/** What a RevocationList2020Credential is made of. */
export interface RevocationList2020Input {
  /** Where the list is served, as `revocationListCredential` of its credentials has it. */
  readonly url: string
  /** The issuer's DID. */
  readonly issuer: string
  /** Cut to whole seconds. */
  readonly issuedAt: Date
  /** The bits of the list (`bitsOf`), in gzip. */
  readonly compressedBits: Uint8Array
}

/** A list of w3c-ccg.github.io/vc-status-rl-2020, before it is signed. */
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
