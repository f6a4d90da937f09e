import type { InteractionHookRow } from '../../../db/repos/issuance/interaction-hooks.ts'
import { newId } from '../../../shared/ids.ts'
import { OutboundError } from '../../../shared/outbound/outbound-error.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { isAppUrl } from './hook-url.ts'
import { sessionAddress } from './session-address.ts'

const timeoutMs = 3_000
const maxResponseBytes = 1_024

/**
 * Opens the component as a browser would, with a session token that contains no person and belongs to no sign-in. Does
 * not open apps.
 */
export async function tryHook(deps: Deps, tenant: Tenant, hook: InteractionHookRow) {
  if (isAppUrl(hook.url))
    return { works: false, message: 'The component is an app. Only a device with the app can open it.' }
  const url = await sessionAddress(deps, tenant, hook, { state: newId(), claims: {}, at: deps.clock.now() })
  const headers = { accept: 'text/html' }
  const request = { method: 'GET', url, headers, timeoutMs, maxResponseBytes, overflow: 'truncate' } as const
  try {
    const { status } = await deps.outbound.request(request)
    const works = status < 400
    const message = works
      ? `The component accepted a session token without a person and answered with status ${status}`
      : `The component refused a session token without a person with status ${status}`
    return { works, message }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { works: false, message: `The component cannot be reached: ${error.message}` }
  }
}
