import { hash, randomBytes, randomUUID } from 'node:crypto'

export const newId: () => string = randomUUID

/** Returns a new id for a public key. It is short, because each signature contains it. */
export function newKeyId(): string {
  return randomBytes(12).toString('base64url')
}

/** Returns the 16 bytes of a UUID in base64url: 22 characters. `uuidOf` returns the UUID again. */
export function shortIdOf(uuid: string): string {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url')
}

export function uuidOf(shortId: string): string {
  const hex = Buffer.from(shortId, 'base64url').toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

let [lastMs, lastTime, count] = [0, timeOf(0), 0]

/**
 * Returns a UUID that is greater than all earlier ones of this process (RFC 9562, version 7, with a counter per millisecond). Used for
 * large tables, whose indexes then grow at one end, and for lists in the order of creation. Not used where the id must not reveal a
 * time, such as in credentials.
 */
export function newOrderedId(at: Date): string {
  // The counter has 12 bits. When they are used up, the next millisecond is used early.
  if (at.getTime() > lastMs) startMillisecond(at.getTime())
  else if (++count > 0xfff) startMillisecond(lastMs + 1)
  return `${lastTime}-7${count.toString(16).padStart(3, '0')}-${newId().slice(19)}`
}

function startMillisecond(ms: number): void {
  ;[lastMs, lastTime, count] = [ms, timeOf(ms), 0]
}

/** Returns a text that is lower than each id of `newOrderedId` from a time on. */
export function firstIdAt(at: Date): string {
  return timeOf(at.getTime())
}

/** Returns the first two parts of a UUID of version 7. */
function timeOf(ms: number): string {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}`
}

/** Returns a random UUID with a time that is known from elsewhere (RFC 9562, version 7). It reveals no order. */
export function newIdAt(at: Date): string {
  return `${timeOf(at.getTime())}-7${newId().slice(15)}`
}

/**
 * Returns a bearer secret of 256 random bits in base64url, a hash of the 366 bits of three UUIDs. Node caches random bytes only for
 * UUIDs. `randomBytes` allocates outside the heap for each call, which took 3 % of the time of an issuance.
 */
export function newSecret(): string {
  return hash('sha256', newId() + newId() + newId(), 'base64url')
}

/**
 * Returns a bearer secret that contains the id of its row. The row is found by the id, so that the hash of the secret needs no index.
 * An index of hashes would grow at random places.
 */
export function newSecretOf(id: string): string {
  return `${id}.${newSecret()}`
}

/** Returns the id in a secret of `newSecretOf`. For any other text, the result is not a valid id. */
export function idOfSecret(secret: string): string {
  return secret.slice(0, secret.indexOf('.'))
}

/**
 * Hashes a bearer secret for storage: SHA-256, base64url. A slow hash is not needed, because the secrets have 256 bits of entropy.
 * Short codes use a keyed hash instead (see `shared/secrets/secrets.ts`).
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64url')
}

/**
 * Returns the same UUID for the same name (RFC 9562, version 8 over SHA-256). For ids that a retry must not change. The hash is read as
 * hex, because a Buffer for each hash takes twice as long.
 */
export function derivedId(...name: string[]): string {
  const digest = hash('sha256', name.join('\n'), 'hex')
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-${endOf(digest)}`
}

/** Returns the same UUID for the same time and name. The ids have the order of the times. */
export function derivedOrderedId(at: Date, ...name: string[]): string {
  return `${timeOf(at.getTime())}-${endOf(hash('sha256', name.join('\n'), 'hex'))}`
}

/** Returns the last three parts of a UUID of version 8. */
function endOf(digest: string): string {
  const variant = 8 | (Number.parseInt(digest.charAt(16), 16) & 3)
  return `8${digest.slice(13, 16)}-${variant.toString(16)}${digest.slice(17, 20)}-${digest.slice(20, 32)}`
}
