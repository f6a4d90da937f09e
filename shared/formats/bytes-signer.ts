import type { KeyObject } from 'node:crypto'

/** A key that signs. The private part can be in another process or device. */
export interface BytesSigner {
  readonly publicKey: KeyObject
  /**
   * Signs the bytes themselves, not a digest. Returns r followed by s for ECDSA (RFC 7518, section 3.4), and the signature of RFC 8032 for
   * Ed25519.
   */
  sign(bytes: Uint8Array): Promise<Buffer>
  /**
   * Present if the private key is in another process or device. Such signatures take milliseconds, and several are made at the same time.
   * The provider of the key verifies each of them with the public key, so that no format verifies it again.
   */
  readonly isExternal?: true
}

/** A key for key agreement. The private part can be in another process or device. */
export interface SecretAgreement {
  readonly publicKey: KeyObject
  /** Returns the shared secret Z of both keys: 32 bytes for X25519 and P-256. */
  derive(peer: KeyObject): Promise<Buffer>
}
