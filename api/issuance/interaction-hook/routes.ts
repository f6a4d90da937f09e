import { holdTenant } from '../../../db/hold.ts'
import {
  findInteractionHook,
  type InteractionHookRow,
  saveInteractionHook,
} from '../../../db/repos/issuance/interaction-hooks.ts'
import { changedFieldNames } from '../../../shared/changed-fields.ts'
import { Problem, wrongField } from '../../../shared/errors/errors.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import type { Deps } from '../../deps.ts'
import { requireMatch, withTag, withVersion } from '../../http/if-match.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { findHookUrlFault } from './hook-url.ts'
import { HookTestView, OpenIdConfiguration, OpenIdConfigurationView } from './schemas.ts'
import { newSealedSecret, openHookSecret } from './secret.ts'
import { tryHook } from './try-hook.ts'

const access = operators('admin', 'issuer', 'managed-issuer')
const tag = 'Interaction hook'
const path = '/v1/openid/configuration'

export const interactionHookRoutes = [
  defineRoute({
    operation: 'retrieveOpenIdConfiguration',
    summary: 'Retrieve the interaction hook',
    tag,
    method: 'GET',
    path,
    access,
    event: 'CREDENTIAL_PROVIDER_OPENID_CONFIGURATION_RETRIEVE',
    status: 200,
    response: OpenIdConfigurationView,
    representations: { etag: 'version' },
    async handle({ tenantId, deps }) {
      return withVersion(present(deps, await findInteractionHook(deps.db.read, tenantId)))
    },
  }),
  defineAuditedRoute({
    operation: 'updateOpenIdConfiguration',
    summary: 'Update the interaction hook',
    tag,
    method: 'PUT',
    path,
    access,
    event: 'CREDENTIAL_PROVIDER_OPENID_CONFIGURATION_UPDATE',
    body: OpenIdConfiguration,
    status: 200,
    response: OpenIdConfigurationView,
    problems: ['bad_request', 'precondition_failed'],
    async handle({ tenantId, body: { interactionHook }, headers, deps, change }) {
      const wrong = findHookUrlFault(interactionHook.url, { allowLoopback: deps.config.outboundAllowLoopback })
      if (wrong) throw wrongField('interactionHook.url', wrong, interactionHook.url)
      const { renewSecret, ...content } = interactionHook
      const hook = { ...content, tenantId, sealedSecret: newSealedSecret(deps.secrets, tenantId) }
      const saved = await change(async (tx, record) => {
        // There may be no row to hold yet.
        await holdTenant(tx, tenantId)
        const before = await findInteractionHook(tx, tenantId)
        requireMatch(headers, present(deps, before))
        const after = await saveInteractionHook(tx, hook, { renewSecret })
        const isNewSecret = !before || renewSecret
        record(tenantId, {
          changed: changedFieldNames(before ?? {}, { ...content, ...(isNewSecret && { secret: true }) }),
        })
        return after
      })
      return withTag(present(deps, saved))
    },
  }),
  defineRoute({
    operation: 'testOpenIdConfiguration',
    changesTenant: false,
    summary: 'Test the interaction hook: open the component with a session token without a person. Nothing is stored',
    tag,
    method: 'POST',
    path: `${path}/test`,
    access,
    event: 'CREDENTIAL_PROVIDER_OPENID_CONFIGURATION_TEST',
    status: 200,
    response: HookTestView,
    problems: ['not_found'],
    async handle({ tenant, deps }) {
      const hook = await findInteractionHook(deps.db.read, tenant.id)
      if (!hook) throw new Problem('not_found', { message: 'The tenant has no interaction hook' })
      return tryHook(deps, tenant, hook)
    },
  }),
]

function present(deps: Deps, row: InteractionHookRow | undefined) {
  if (!row) return {}
  const { url, claims, sessionTimeoutInSec, disabled } = row
  const secret = openHookSecret(deps.secrets, row)
  return { interactionHook: { url, claims, sessionTimeoutInSec, disabled, secret } }
}
