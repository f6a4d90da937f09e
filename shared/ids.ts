import { hash, randomBytes, randomUUID } from 'node:crypto'

export const newId: () => string = randomUUID

/** Of a public key: signatures carry it, and it is short. */
export function newKeyId(): string {
  return randomBytes(12).toString('base64url')
}

let [lastMs, count] = [0, 0]

/**
 * A UUID whose order is the order in which this process made them (RFC 9562, version 7, with a counter per millisecond).
 * For rows that are made in great numbers, whose indexes then grow at one end, and for what is listed in the order in which it was
 * made, however fast that was. Not for what must tell nothing of its time, such as credentials.
 */
export function newOrderedId(at: Date): string {
  const ms = Math.max(at.getTime(), lastMs)
  count = ms === lastMs ? count + 1 : 0
  // The counter's 12 bits are used up: borrow the next millisecond.
  const isUsedUp = count > 0xfff
  lastMs = isUsedUp ? ms + 1 : ms
  if (isUsedUp) count = 0
  return `${timeOf(lastMs)}-7${count.toString(16).padStart(3, '0')}-${newId().slice(19)}`
}

/** The first two parts of a UUID of version 7. */
function timeOf(ms: number): string {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}`
}

/** A random UUID behind a time that its bearer tells anyway (RFC 9562, version 7): it tells nothing more, and no order. */
export function newIdAt(at: Date): string {
  return `${timeOf(at.getTime())}-7${newId().slice(15)}`
}

/**
 * A bearer secret: 256 random bits, base64url, out of the 366 of three UUIDs. Node keeps random bytes ready for UUIDs alone:
 * `randomBytes` makes an object outside the heap for each call, which was 3 % of an issuance.
 */
export function newSecret(): string {
  return hash('sha256', newId() + newId() + newId(), 'base64url')
}

/**
 * A bearer secret that names the row it opens. The row is found by its id and the secret compared by its hash, which
 * therefore needs no index: one of hashes grows at random places.
 */
export function newSecretOf(id: string): string {
  return `${id}.${newSecret()}`
}

/** The id of the row that such a secret says it opens; of anything else, a text that is the id of none. */
export function idOfSecret(secret: string): string {
  return secret.slice(0, secret.indexOf('.'))
}

/**
 * How bearer secrets are stored: SHA-256, base64url. A slow hash would add nothing, because every secret hashed here has
 * 256 bits of entropy and cannot be guessed from its hash; short codes are keyed instead (see `shared/secrets.ts`).
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64url')
}

/** The same UUID for the same name, always (RFC 9562, version 8 over SHA-256): ids that a retry must not change. */
export function derivedId(...name: string[]): string {
  return uuidOf(hash('sha256', name.join('\n'), 'buffer'))
}

/** The same for the same time and name, and in the order of the times. */
export function derivedOrderedId(at: Date, ...name: string[]): string {
  const bytes = hash('sha256', name.join('\n'), 'buffer')
  bytes.writeUIntBE(at.getTime(), 0, 6)
  return uuidOf(bytes)
}

/** The first 16 bytes as a UUID of version 8, whose content is the maker's own. */
function uuidOf(digest: Buffer): string {
  const bytes = digest.subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
