import {
  insertAuthenticationProvider,
  listAuthenticationProviders,
  updateAuthenticationProvider,
} from '../../../db/repos/issuance/sign-in-providers.ts'
import { changesBy } from '../../../db/repos/operations/audit/audited.ts'
import { newId } from '../../../shared/ids.ts'
import type { IdentityProviderFacts } from '../../../shared/launcher/identity-provider-facts.ts'
import type { Secrets } from '../../../shared/secrets/secrets.ts'
import type { CreateDeps } from '../../tenancy/tenants/create.ts'
import { sealClientSecret } from './client-secret.ts'

/** Configures the development provider for the demo tenant, unless an operator configured another one. */
export async function ensureDemoProvider(
  deps: CreateDeps & { secrets: Secrets },
  tenantId: string,
  facts: IdentityProviderFacts,
): Promise<void> {
  const [existing] = await listAuthenticationProviders(deps.db.read, tenantId, { limit: 1 })
  if (existing && existing.clientId !== facts.clientId) return
  const id = existing?.id ?? newId()
  const content = {
    url: facts.issuer,
    scope: ['openid', 'profile', 'email'],
    clientId: facts.clientId,
    sealedClientSecret: sealClientSecret(deps.secrets, id, facts.clientSecret),
    tokenEndpointAuthMethod: 'client_secret_basic',
    assertionAudience: 'issuer' as const,
    staticRequestParameters: {},
    forwardedRequestParameters: ['login_hint', 'prompt'],
    claimsToPersist: ['given_name', 'family_name', 'birthdate', 'email'],
  }
  const event = `USER_AUTHENTICATION_PROVIDER_${existing ? 'UPDATE' : 'CREATE'}`
  await changesBy(deps, { event })(async (tx, record) => {
    record(tenantId, { id })
    if (existing) await updateAuthenticationProvider(tx, tenantId, id, content)
    else await insertAuthenticationProvider(tx, tenantId, { id, ...content }, deps.clock.now())
  })
}
