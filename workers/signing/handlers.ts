import { Problem, toWireProblem } from '../../shared/errors.ts'
import type { Outcomes } from '../../shared/jobs/registry.ts'
import { type Handlers, handlersFor, type WorkerDeps } from '../handlers.ts'
import type { Keyring } from './keyring.ts'
import { provisionTenant } from './provision-tenant.ts'
import { rotateWebhookKey } from './rotate-webhook-key.ts'
import { signCredentials } from './sign-credentials.ts'
import { signManagementToken } from './sign-management-tokens.ts'
import { signWebhook } from './sign-webhooks.ts'

export interface SigningDeps extends WorkerDeps {
  keyring: Keyring
}

export function signingHandlers(deps: SigningDeps): Handlers<'signing'> {
  return handlersFor('signing', {
    provisionTenant: ({ tenantId }) => provisionTenant(deps, tenantId),
    signCredentials: ({ items }) => signCredentials(deps, items),
    signManagementTokens: ({ items }) => each(items, (item) => signManagementToken(deps, item)),
    signWebhooks: ({ items }) => each(items, (item) => signWebhook(deps, item)),
    rotateWebhookKey: ({ tenantId }) => rotateWebhookKey(deps, tenantId),
  })
}

/** One outcome per item: what is wrong with one is no matter of the others. */
async function each<Item, Result>(items: Item[], run: (item: Item) => Promise<Result>): Promise<Outcomes<Result>> {
  const outcomes = await Promise.all(
    items.map((item) =>
      run(item).then(
        (ok) => ({ ok }),
        (error: unknown) => {
          if (error instanceof Problem) return { problem: toWireProblem(error) }
          throw error
        },
      ),
    ),
  )
  return { outcomes }
}
