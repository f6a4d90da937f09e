import type { KeyObject } from 'node:crypto'
import type { KeyAlgorithm } from '../../../../db/tables/identifiers/keys.ts'
import type { Clock } from '../../../../shared/clock.ts'
import type { PublicJwk } from '../../../../shared/formats/jwk.ts'

/** The algorithms that a remote signer can have. Keys of Bls12381G2 are always software keys. */
export type RemoteAlgorithm = Exclude<KeyAlgorithm, 'Bls12381G2'>

export interface ApiRequest {
  method: 'GET' | 'POST' | 'DELETE'
  url: string
  headers?: Readonly<Record<string, string>>
  /** JSON, or the form of a request for an access token. */
  body?: string
  /** Whether the request can be sent again when its answer was lost. Making a key without a name of ours cannot. */
  isRepeatable: boolean
  /** Statuses that the caller expects besides 2xx. */
  accepts?: readonly number[]
}

export interface ApiAnswer {
  status: number
  /** The time after which the signer accepts calls again, from `Retry-After`. */
  retryAfterMs?: number | undefined
  /** The members of the JSON object of the body. Empty if the body is empty. */
  json: Readonly<Record<string, unknown>>
}

/**
 * Sends a request within the limits of the signer. Throws KeyProviderUnavailable or KeyProviderRefused for a status that the request does not
 * accept.
 */
export type CallApi = (request: ApiRequest) => Promise<ApiAnswer>

export interface RemoteKey {
  handle: string
  algorithm: RemoteAlgorithm
}

/** The differences between the APIs of signers: requests, answers and authorization. Limits, retries and checks of signatures are not here. */
export interface SignerAdapter {
  supports(algorithm: RemoteAlgorithm): boolean
  /** Returns the headers that authorize a request. Called for each attempt. */
  authorize(request: ApiRequest): Promise<Readonly<Record<string, string>>>
  /** Forgets a cached access token that was refused. */
  forgetToken?(): void
  /** Returns the HTTP status that describes an answer, if the API uses another one. */
  statusOf?(answer: ApiAnswer): number
  /** Makes a key, or returns the key with this id that an earlier call made. */
  generate(call: CallApi, key: { id: string; label: string; algorithm: RemoteAlgorithm }): Promise<RemoteKeyPair>
  /** Returns r followed by s for ES256, and the signature of RFC 8032 for Ed25519. The caller verifies it. */
  sign(call: CallApi, key: RemoteKey, bytes: Uint8Array): Promise<Buffer>
  /** Returns the shared secret. Only for adapters that support an algorithm of key agreement. */
  derive?(call: CallApi, key: RemoteKey, peer: PublicJwk): Promise<Buffer>
  /** Destroys a key. Resolves if it is already gone. */
  destroy(call: CallApi, handle: string): Promise<void>
  handles(call: CallApi): AsyncIterable<string>
  /** Sends a cheap request that needs authorization. */
  check(call: CallApi): Promise<void>
}

export interface RemoteKeyPair {
  handle: string
  publicKey: KeyObject
}

/** The parts of the process that an adapter uses. */
export interface AdapterContext {
  clock: Clock
  /** Returns the text of a file of the settings, which is read again when it changes. */
  read(path: string): Promise<string>
  /** Sends a request for an access token. It counts towards no limit. */
  send(request: ApiRequest): Promise<ApiAnswer>
  /** Waits between two looks at a key that the API is making. */
  pause(ms: number): Promise<void>
}

/** Reads a resource of an API. */
export function getJson(call: CallApi, url: string, accepts: readonly number[] = []): Promise<ApiAnswer> {
  return call({ method: 'GET', url, isRepeatable: true, accepts })
}

/** Posts JSON. By default the request can be repeated. */
export function postJson(
  call: CallApi,
  url: string,
  body: object,
  options: Partial<Pick<ApiRequest, 'headers' | 'isRepeatable' | 'accepts'>> = {},
): Promise<ApiAnswer> {
  return call({ method: 'POST', url, body: JSON.stringify(body), isRepeatable: true, ...options })
}

/** Removes a resource, which can be gone already. */
export async function deleteKey(call: CallApi, url: string): Promise<void> {
  await call({ method: 'DELETE', url, isRepeatable: true, accepts: [404] })
}

/** Posts a form to the token endpoint of an authorization server. */
export function requestToken(
  { send }: Pick<AdapterContext, 'send'>,
  url: string,
  form: Record<string, string>,
): Promise<ApiAnswer> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return send({ method: 'POST', url, headers, body: new URLSearchParams(form).toString(), isRepeatable: true })
}
