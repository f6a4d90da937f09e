import { createPublicKey, hash, type KeyObject, randomBytes, verify } from 'node:crypto'
import type { PublicJwk } from '../../../../shared/formats/jwk.ts'
import type { Log } from '../../../../shared/log/log.ts'
import { KeyProviderRefused } from '../provider.ts'
import type { FoundKey, KeyMaterial, TokenAlgorithm, TokenSettings, TokenValue } from './messages.ts'
import { createTokenQueue, type TokenLimits, type TokenQueue } from './token-queue.ts'
import { type KeyKind, type KeyNameInToken, keyUri, parseKeyUri } from './token-uri.ts'

/** A key pair in a token. `handle` is the RFC 7512 URI of the private key. */
export interface TokenKey {
  handle: string
  algorithm: TokenAlgorithm
  publicJwk: PublicJwk
}

/**
 * A PKCS#11 token that is open. Its library runs in a child process. While the token is away, requests wait until their deadline.
 * Each function throws KeyProviderUnavailable then, and KeyProviderRefused if the token refuses the request for good.
 */
export interface Token {
  /** CKA_LABEL of the token. */
  readonly label: string
  /** The algorithms that the token has the mechanisms for. */
  readonly algorithms: readonly TokenAlgorithm[]
  /** Generates a key pair that cannot leave the token. The label and the id together must be new. */
  generateKeyPair(key: { algorithm: TokenAlgorithm; label: string; id: string }): Promise<TokenKey>
  /** Stores a copy of a private key, which cannot leave the token from then on. */
  importKeyPair(key: { algorithm: TokenAlgorithm; label: string; id: string; privateKey: KeyObject }): Promise<TokenKey>
  /** Signs bytes, not their digest. Returns 64 bytes, which the public key has verified: r and s for ES256. */
  sign(key: SigningKeyOfToken, bytes: Uint8Array): Promise<Buffer>
  /** ECDH of a P-256 key with a public point (04, x and y). Returns the x coordinate of the shared point. */
  derive(handle: string, peerPoint: Uint8Array): Promise<Buffer>
  /** Generates a secret key that cannot leave the token, unless the token has it. Returns its RFC 7512 URI. */
  makeSecretKey(key: { label: string; id: string }): Promise<string>
  /** Throws KeyProviderRefused unless the token has one secret key of this URI, which cannot leave it. */
  checkSecretKey(handle: string): Promise<void>
  /** Encrypts with AES-256-GCM. Returns nonce, encrypted bytes and tag. */
  encrypt(handle: string, bytes: Uint8Array, associated: Uint8Array): Promise<Buffer>
  /** Decrypts the result of `encrypt`. Throws KeyProviderRefused if a byte differs. */
  decrypt(handle: string, bytes: Uint8Array, associated: Uint8Array): Promise<Buffer>
  /** Returns undefined if the token has no such key. */
  find(handle: string): Promise<TokenKey | undefined>
  /** Returns the handles of all private keys with an id and a label. */
  list(): Promise<string[]>
  /** Destroys a key pair. Resolves if it is already gone. */
  destroy(handle: string): Promise<void>
  /** Resolves if the token answers. */
  check(): Promise<void>
  /** Whether the last requests were answered. */
  isUp(): boolean
  close(): Promise<void>
}

export interface SigningKeyOfToken {
  handle: string
  algorithm: 'ES256' | 'Ed25519'
  publicKey: KeyObject
}

export interface TokenOptions extends TokenSettings, Partial<TokenLimits> {
  log: Log
}

const defaultLimits: TokenLimits = { requestMs: 8_000, callMs: 3_000, slowCallMs: 10_000, waitsForPin: false }

/** Opens a token. Throws Misconfigured with one line for the operator if it cannot be opened. */
export async function openToken({ module, uri, pinFile, log, ...limits }: TokenOptions): Promise<Token> {
  const queue = createTokenQueue({ module, uri, pinFile }, log, { ...defaultLimits, ...limits })
  try {
    const { label, algorithms } = await queue.firstOpened
    return { label, algorithms, ...operationsOf(queue, label), isUp: queue.isUp, close: queue.close }
  } catch (error) {
    await queue.close()
    throw error
  }
}

/** The attributes of a page are read within the time limit of a call. */
const keysPerPage = 200

type Operations = Omit<Token, 'label' | 'algorithms' | 'isUp' | 'close'>

function operationsOf({ request }: TokenQueue, token: string): Operations {
  const tokenKey = (name: KeyNameInToken, { algorithm, point }: FoundKey): TokenKey => ({
    handle: keyUri(token, name),
    algorithm,
    publicJwk: jwkOf(algorithm, point),
  })
  async function make(
    op: { op: 'generate' } | { op: 'import'; material: KeyMaterial },
    key: NewKey,
  ): Promise<TokenKey> {
    const { algorithm, label, id } = key
    const name = { id: Buffer.from(id), label }
    const made = foundKey(await request({ ...op, key: name, algorithm, isRepeated: false }))
    return tokenKey(name, { algorithm, point: made.point })
  }
  return {
    generateKeyPair: (key) => make({ op: 'generate' }, key),
    importKeyPair: ({ privateKey, ...key }) => make({ op: 'import', material: materialOf(privateKey) }, key),
    sign: (key, bytes) => sign(request, key, Buffer.from(bytes)),
    async derive(handle, peerPoint) {
      const point = checkedPoint(Buffer.from(peerPoint))
      return bytesOf(await request({ op: 'derive', key: keyName(handle), peerPoint: point }))
    },
    ...secretOperationsOf(request, token),
    async find(handle) {
      const name = keyName(handle)
      const value = await request({ op: 'find', key: name })
      return value && tokenKey(name, foundKey(value))
    },
    async list() {
      const handles: string[] = []
      for (let from = 0; ; from += keysPerPage) {
        // Boundary: the answer to `list`.
        const names = (await request({ op: 'list', from, limit: keysPerPage })) as KeyNameInToken[] | undefined
        if (!names) return handles
        handles.push(...names.map((name) => keyUri(token, name)))
      }
    },
    destroy: async (handle) => void (await request({ op: 'destroy', key: keyName(handle) })),
    check: async () => void (await request({ op: 'check' })),
  }
}

type SecretOperations = Pick<Token, 'makeSecretKey' | 'checkSecretKey' | 'encrypt' | 'decrypt'>

function secretOperationsOf(request: TokenQueue['request'], token: string): SecretOperations {
  return {
    async makeSecretKey({ label, id }) {
      const key = { id: Buffer.from(id), label }
      await request({ op: 'makeSecret', key })
      return keyUri(token, key, 'secret-key')
    },
    async checkSecretKey(handle) {
      await request({ op: 'checkSecret', key: keyName(handle, 'secret-key') })
    },
    async encrypt(handle, bytes, associated) {
      const [key, nonce] = [keyName(handle, 'secret-key'), randomBytes(nonceBytes)]
      const input = { nonce, associated: Buffer.from(associated), input: Buffer.from(bytes) }
      return Buffer.concat([nonce, bytesOf(await request({ op: 'encrypt', key, ...input }))])
    },
    async decrypt(handle, bytes, associated) {
      if (bytes.length < nonceBytes + tagBytes) throw new KeyProviderRefused('The encrypted bytes are too short.')
      const [nonce, input] = [Buffer.from(bytes.subarray(0, nonceBytes)), Buffer.from(bytes.subarray(nonceBytes))]
      const key = keyName(handle, 'secret-key')
      return bytesOf(await request({ op: 'decrypt', key, nonce, associated: Buffer.from(associated), input }))
    },
  }
}

const nonceBytes = 12
const tagBytes = 16

type NewKey = { algorithm: TokenAlgorithm; label: string; id: string }

async function sign(
  request: TokenQueue['request'],
  { handle, algorithm, publicKey }: SigningKeyOfToken,
  bytes: Buffer,
): Promise<Buffer> {
  // The token computes ECDSA over the digest, and EdDSA over the message (PKCS #11, CKM_ECDSA and CKM_EDDSA).
  const input = algorithm === 'ES256' ? hash('sha256', bytes, 'buffer') : bytes
  const signature = bytesOf(await request({ op: 'sign', key: keyName(handle), algorithm, input }))
  const isValid =
    algorithm === 'ES256'
      ? verify('sha256', bytes, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)
      : verify(null, bytes, publicKey, signature)
  if (!isValid)
    throw new KeyProviderRefused('The key in the token is not the private key of the public key of the service.')
  return signature
}

function keyName(handle: string, kind?: KeyKind): KeyNameInToken {
  try {
    return parseKeyUri(handle, kind)
  } catch (error) {
    throw new KeyProviderRefused(`The handle of the key ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    })
  }
}

function bytesOf(value: TokenValue): Buffer {
  // Boundary: the answer to a request for bytes.
  return Buffer.from(value as Uint8Array)
}

function foundKey(value: TokenValue): FoundKey {
  // Boundary: the answer to `find`, `generate` and `import`.
  const { algorithm, point } = value as FoundKey
  return { algorithm, point: Buffer.from(point) }
}

/** Libraries report a point that is not on the curve as a general error, which looks like a lost token. Peers choose the point. */
function checkedPoint(point: Buffer): Buffer {
  try {
    createPublicKey({ key: { ...jwkOf('ECDH-ES', point) }, format: 'jwk' })
  } catch (error) {
    throw new KeyProviderRefused('The point of the peer is not on the curve P-256.', { cause: error })
  }
  return point
}

/** `point` is 04, x and y for P-256. */
function jwkOf(algorithm: TokenAlgorithm, point: Buffer): PublicJwk {
  const text = (from: number, to: number) => point.subarray(from, to).toString('base64url')
  if (algorithm === 'Ed25519') return { kty: 'OKP', crv: 'Ed25519', x: text(0, 32) }
  return { kty: 'EC', crv: 'P-256', x: text(1, 33), y: text(33, 65) }
}

function materialOf(privateKey: KeyObject): KeyMaterial {
  const { d = '', x = '', y } = privateKey.export({ format: 'jwk' })
  const parts = [x, ...(y === undefined ? [] : [y])].map((part) => Buffer.from(part, 'base64url'))
  return {
    scalar: Buffer.from(d, 'base64url'),
    point: Buffer.concat([...(y === undefined ? [] : [Buffer.of(4)]), ...parts]),
  }
}
