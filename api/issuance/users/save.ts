import type { z } from 'zod'
import type { Writer } from '../../../db/client.ts'
import { isUniqueViolation } from '../../../db/engine/unique-violation.ts'
import { hold, holdShared } from '../../../db/hold.ts'
import { statesOfChange, statesOfNew } from '../../../db/repos/issuance/users/user-states.ts'
import { withUserTerms } from '../../../db/repos/issuance/users/user-terms.ts'
import {
  findUser,
  insertUser,
  type ProviderSubject,
  type User,
  updateUser,
} from '../../../db/repos/issuance/users/users.ts'
import { authenticationProviders } from '../../../db/tables/issuance/sign-in-providers.ts'
import { users } from '../../../db/tables/issuance/users.ts'
import { notFound, Problem } from '../../../shared/errors/errors.ts'
import { unknownReference } from '../../../shared/errors/unknown-reference.ts'
import type { Deps } from '../../deps.ts'
import type { Write } from '../../http/collection.ts'
import { issuerOf } from '../sign-in-provider/issuer.ts'
import type { NewUser, UserChanges } from './schemas.ts'

type UserBody = z.output<typeof NewUser>
type NamedSubject = NonNullable<UserBody['authenticationProvider']>

export async function createUser(
  { clock }: Deps,
  write: Write<User>,
  tenantId: string,
  { claims = {}, authenticationProvider: provider, label }: UserBody,
): Promise<User> {
  return withUserTerms(statesOfNew({ claims, provider }), (terms) =>
    write(async (tx) => {
      const subject = provider && (await holdSubject(tx, tenantId, provider))
      if (provider && !subject) throw noSuchProvider(provider)
      const content = { claims, label: label ?? null, ...(subject && { provider: subject }) }
      const user = await insertUser(tx, tenantId, content, clock.now(), terms)
      if (!user) throw subjectTaken(provider)
      return user
    }),
  )
}

/** Replaces the claims and the label. Keeps the subject at a provider unless the body contains one. */
export async function changeUser(
  { db }: Deps,
  tenantId: string,
  id: string,
  { claims, authenticationProvider: provider, label }: z.output<typeof UserChanges>,
  requireMatch: (before: User) => Promise<void>,
): Promise<User> {
  const states = await statesOfChange(db.read, tenantId, id, { claims, provider })
  try {
    return await withUserTerms(states, (terms) =>
      db.tx(async (tx) => {
        const subject = provider && (await holdSubject(tx, tenantId, provider))
        const before = (await hold(tx, users, tenantId, id)) && (await findUser(tx, tenantId, id))
        if (before) await requireMatch(before)
        const change = { claims, label: label ?? null, ...(subject && { provider: subject }) }
        const user = await updateUser(tx, tenantId, id, change, terms)
        if (!user) throw notFound('id', id)
        if (provider && !subject) throw noSuchProvider(provider)
        return user
      }),
    )
  } catch (error) {
    if (isUniqueViolation(error)) throw subjectTaken(provider)
    throw error
  }
}

/** Locks the provider, so that it cannot be deleted and its issuer cannot change before the user is stored. */
async function holdSubject(tx: Writer, tenantId: string, named: NamedSubject): Promise<ProviderSubject | undefined> {
  const provider = await holdShared(tx, authenticationProviders, tenantId, named.providerId)
  return provider && { ...named, issuer: issuerOf(provider) }
}

function noSuchProvider({ providerId }: NamedSubject): Problem {
  return unknownReference('authenticationProvider.providerId', providerId, 'GET /v1/users/authentication-providers')
}

function subjectTaken(provider: NamedSubject | undefined): Problem {
  return new Problem('conflict', {
    message: 'Another user has this subject at the provider. Change or delete that user first.',
    details: [
      {
        value: provider?.subjectId,
        msg: 'Another user has this subject at the provider. Change or delete that user first.',
        param: 'authenticationProvider.subjectId',
        location: 'body',
      },
    ],
  })
}
