import type { BytesSigner, SecretAgreement } from '../../../shared/formats/bytes-signer.ts'

/** A key that signs. The private part stays in its provider. `sign` returns 64 bytes. */
export interface Signer extends BytesSigner {
  readonly id: string
  readonly algorithm: 'ES256' | 'Ed25519'
  /** Where the private part is: `software`, `pkcs11` or `remote:<name>`. */
  readonly provider: string
}

/** A key for key agreement. The private part stays in its provider. `derive` returns 32 bytes. */
export interface Agreement extends SecretAgreement {
  readonly id: string
  readonly algorithm: 'X25519' | 'ECDH-ES'
}
