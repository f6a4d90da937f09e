import type { z } from 'zod'
import type { Reader } from '../../db/client.ts'
import { findAuthenticationProvider } from '../../db/repos/authentication-providers.ts'
import { insertUser, type ProviderSubject, type User, updateUser } from '../../db/repos/users.ts'
import { isUniqueViolation } from '../../db/unique-violation.ts'
import { notFound, Problem, wrongField } from '../../shared/errors.ts'
import type { Deps } from '../deps.ts'
import type { NewUser } from './schemas.ts'

type UserBody = z.output<typeof NewUser>

export async function createUser(
  { db, clock }: Deps,
  tenantId: string,
  { claims = {}, authenticationProvider: provider }: UserBody,
): Promise<User> {
  return db.tx(async (tx) => {
    await checkProvider(tx, tenantId, provider)
    const user = await insertUser(tx, tenantId, { claims, ...(provider ? { provider } : {}) }, clock.now())
    if (!user) throw subjectTaken(provider)
    return user
  })
}

/** Replaces what the body gives and keeps the rest. */
export async function changeUser(
  { db }: Deps,
  tenantId: string,
  id: string,
  { claims, authenticationProvider: provider }: UserBody,
): Promise<User> {
  try {
    return await db.tx(async (tx) => {
      const changes = { ...(claims ? { claims } : {}), ...(provider ? { provider } : {}) }
      const user = await updateUser(tx, tenantId, id, changes)
      if (!user) throw notFound('id', id)
      await checkProvider(tx, tenantId, provider)
      return user
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw subjectTaken(provider)
    throw error
  }
}

async function checkProvider(db: Reader, tenantId: string, provider: ProviderSubject | undefined): Promise<void> {
  if (!provider || (await findAuthenticationProvider(db, tenantId, provider.providerId))) return
  throw wrongField('authenticationProvider.providerId', 'Resource Not Found', provider.providerId)
}

function subjectTaken(provider: ProviderSubject | undefined): Problem {
  return new Problem('conflict', {
    message: 'Another user has this subject at the provider',
    details: [
      {
        value: provider?.subjectId,
        msg: 'Another user has this subject at the provider',
        param: 'authenticationProvider.subjectId',
        location: 'body',
      },
    ],
  })
}
