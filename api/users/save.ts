import type { z } from 'zod'
import type { Writer } from '../../db/client.ts'
import { holdShared } from '../../db/hold.ts'
import { insertUser, type ProviderSubject, type User, updateUser } from '../../db/repos/users.ts'
import { authenticationProviders } from '../../db/tables/authentication-providers.ts'
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
    if (!(await holdProvider(tx, tenantId, provider))) throw noSuchProvider(provider)
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
      const isThere = await holdProvider(tx, tenantId, provider)
      const changes = { ...(claims ? { claims } : {}), ...(provider ? { provider } : {}) }
      const user = await updateUser(tx, tenantId, id, changes)
      if (!user) throw notFound('id', id)
      if (!isThere) throw noSuchProvider(provider)
      return user
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw subjectTaken(provider)
    throw error
  }
}

/** Keeps the provider, where one is named, from being removed before the user is there. False when there is none. */
async function holdProvider(tx: Writer, tenantId: string, provider: ProviderSubject | undefined): Promise<boolean> {
  return !provider || (await holdShared(tx, authenticationProviders, tenantId, provider.providerId)) !== undefined
}

function noSuchProvider(provider: ProviderSubject | undefined): Problem {
  return wrongField('authenticationProvider.providerId', 'Resource Not Found', provider?.providerId)
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
