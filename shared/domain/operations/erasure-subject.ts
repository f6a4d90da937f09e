import { createHmac } from 'node:crypto'

/** Returns what identifies a user in the receipt of an erasure: HMAC-SHA256 of the user's id, base64url. `salt` is its key, base64url. */
export function erasureSubject(userId: string, salt: string): string {
  return createHmac('sha256', Buffer.from(salt, 'base64url')).update(userId).digest('base64url')
}
