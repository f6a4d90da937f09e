import type { KeyNameInToken } from './token-uri.ts'

/** The settings of a token. The PIN is only in the file, which the child process reads. */
export interface TokenSettings {
  /** The path of the PKCS#11 library of the device. */
  module: string
  /** An RFC 7512 URI that names one token. */
  uri: string
  /** The path of the file with the PIN of the user. */
  pinFile: string
}

/** `ECDH-ES` is key agreement with P-256. */
export type TokenAlgorithm = 'ES256' | 'Ed25519' | 'ECDH-ES'

/** A private key as a token stores it. `params` and `point` are CKA_EC_PARAMS and the bytes of the public point. */
export interface KeyMaterial {
  scalar: Buffer
  point: Buffer
}

/** A request to the child process. */
export type RequestToToken =
  | { op: 'check' }
  /** Returns a page of keys: at most `limit` after the first `from` ones. Without a value, there are no more. */
  | { op: 'list'; from: number; limit: number }
  | { op: 'find' | 'destroy' | 'makeSecret' | 'checkSecret'; key: KeyNameInToken }
  /** Generates a key pair. `isRepeated` is true if an earlier child process can have generated it already. */
  | { op: 'generate'; key: KeyNameInToken; algorithm: TokenAlgorithm; isRepeated: boolean }
  | { op: 'import'; key: KeyNameInToken; algorithm: TokenAlgorithm; material: KeyMaterial; isRepeated: boolean }
  /** `input` is the digest for ES256, and the message for Ed25519. */
  | { op: 'sign'; key: KeyNameInToken; algorithm: 'ES256' | 'Ed25519'; input: Buffer }
  | { op: 'derive'; key: KeyNameInToken; peerPoint: Buffer }
  /** AES-GCM with a secret key. The tag of 16 bytes is at the end of the encrypted bytes. */
  | { op: 'encrypt' | 'decrypt'; key: KeyNameInToken; nonce: Buffer; associated: Buffer; input: Buffer }

/** The public part of a key pair. `point` is 04, x and y for P-256, and the 32 bytes of the key for Ed25519. */
export interface FoundKey {
  algorithm: TokenAlgorithm
  point: Buffer
}

/** The value of an answer: names for `list`, the key for `find`, `generate` and `import`, and bytes for the others. */
export type TokenValue = undefined | KeyNameInToken[] | FoundKey | Buffer

/**
 * `refused`: the token refuses the request for good. `lost`: the child process has lost the token and ends. The request can be sent to the
 * next one.
 */
export type TokenAnswer = { value: TokenValue } | { refused: string } | { lost: string }

/** The token as the child process found it. */
export interface OpenedToken {
  label: string
  algorithms: TokenAlgorithm[]
  /** The number of requests that run at the same time. */
  sessions: number
}

/** The reason why the child process could not open the token. A wrong PIN is not tried again until the PIN file changes. */
export interface NotOpened {
  reason: string
  isWrongPin: boolean
}

/** A message of the child process. The first one is `opened` or `notOpened`. */
export type ChildMessage =
  | { opened: OpenedToken }
  | { notOpened: NotOpened }
  | { answers: { id: number; answer: TokenAnswer }[] }

/** Messages between processes cost more than some signatures. A message has all requests of a tick of the event loop. */
export interface ParentMessage {
  requests: { id: number; request: RequestToToken }[]
}
