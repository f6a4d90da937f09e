import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { findErasureOfSubject } from '../../../db/repos/operations/erasures.ts'
import { dayMs, plusMs } from '../../../shared/clock.ts'
import { erasureSubject } from '../../../shared/domain/operations/erasure-subject.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import type { Deps } from '../../deps.ts'
import type { Erasure } from './delete.ts'

/** A client that chooses the salt still has it if the response is lost. */
export const erasureSaltHeader = {
  name: 'Erasure-Salt',
  description:
    'A new random salt for the receipt: 32 bytes, base64url. If the answer is lost, repeat the request with it within 24 hours to get the id of the receipt. Without the header, the service makes a salt',
  example: 'mSbz1nD4xH0eUqK7w2RtYfLc9aVg5PjOiB3sXlE6hTk',
}

/** 32 bytes need 43 characters, and the last one has two zero bits. */
const saltPattern = /^[\w-]{42}[AEIMQUYcgkosw048]$/

/** Returns a new salt: 32 bytes, base64url. */
export function newSalt(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the salt of the request, if it has one. Throws `bad_request`. */
export function sentSaltOf(headers: IncomingHttpHeaders): string | undefined {
  const { 'erasure-salt': sent } = headers
  if (sent === undefined || (typeof sent === 'string' && saltPattern.test(sent))) return sent
  const msg = 'Must be 32 random bytes in base64url, which are 43 characters'
  throw new Problem('bad_request', { details: [{ msg, param: 'Erasure-Salt', location: 'headers' }] })
}

/** Returns the erasure of a user that a request with the same salt has made within the last 24 hours. */
export async function findEarlierErasure(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { tenantId, id, salt }: { tenantId: string; id: string; salt: string },
): Promise<Erasure | undefined> {
  const since = plusMs(clock.now(), -dayMs)
  const earlier = await findErasureOfSubject(db.read, tenantId, erasureSubject(id, salt), since)
  return earlier && { id: earlier.id, salt }
}
