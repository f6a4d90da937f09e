import { randomBytes } from 'node:crypto'
import { systemClock } from '../../shared/clock.ts'
import { erasureSubject } from '../../shared/domain/operations/erasure-subject.ts'
import { newId, newOrderedId } from '../../shared/ids.ts'
import { type Database, openDatabase } from '../client.ts'
import { migrateDatabase } from '../engine/migrate-database.ts'
import { statesOfUser } from '../repos/issuance/users/user-states.ts'
import { withUserTerms } from '../repos/issuance/users/user-terms.ts'
import { changesBy } from '../repos/operations/audit/audited.ts'
import { findExistingTenants } from '../repos/tenancy/tenants.ts'
import { eraseWithReceipt, erasureEvent } from '../retention/erase-with-receipt.ts'
import type { ErasureList, ListedErasure } from './erasure-list.ts'

/**
 * Erases the users of a list who are in a restored database. Each erasure keeps the id and the subject of its receipt, which the service
 * signs again, because the audit row is another one. It may run repeatedly. Returns a sentence for the operator.
 */
export async function eraseAgain(db: Database, { erasures, until }: ErasureList): Promise<string> {
  const tenantIds = [...new Set(erasures.map(({ tenantId }) => tenantId))]
  const tenants = await findExistingTenants(db.read, tenantIds)
  let erased = 0
  for (const erasure of erasures) {
    if (tenants.has(erasure.tenantId) && (await eraseOne(db, erasure))) erased++
  }
  const others = erasures.length - erased
  return (
    `${erased} users were erased again. ${others} others of the list are not in the database. ` +
    `The list ends at ${until}: delete the users who were erased later.`
  )
}

/** Migrates the SQLite file of a backup, erases the users of a list, and removes what deleted rows left in the file. */
export async function eraseInFile(file: string, list: ErasureList): Promise<string> {
  await migrateDatabase(`file:${file}`)
  const db = openDatabase(`file:${file}`, { survives: 'crash' })
  try {
    return await eraseAgain(db, list)
  } finally {
    await db.close()
  }
}

/** Returns false if the user does not exist. */
async function eraseOne(db: Database, { tenantId, userId, receipt = withoutSalt(userId) }: ListedErasure) {
  const states = await statesOfUser(db.read, tenantId, userId)
  if (states.length === 0) return false
  const requestId = newOrderedId(systemClock.now())
  const change = changesBy({ db, clock: systemClock }, { event: erasureEvent, requestId })
  return withUserTerms(states, (terms) =>
    change((tx, record) =>
      eraseWithReceipt(tx, { tenantId, userId, requestId, receipt }, { at: systemClock.now(), terms, record }),
    ),
  )
}

/** Returns a new receipt for an erasure of a version without receipts. Its salt is not shown, so it identifies no user. */
function withoutSalt(userId: string): { id: string; subject: string } {
  return { id: newId(), subject: erasureSubject(userId, randomBytes(32).toString('base64url')) }
}
