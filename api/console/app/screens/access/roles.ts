import type { Role } from '../../../../../shared/access/roles.ts'
import type { Choice } from '../../kit/form-values.ts'
import { type Text, verbatim } from '../../kit/language.ts'
import { roleTexts } from './role-texts.ts'

type TenantRole = Exclude<Role, 'platform'>

/** The name and the permissions of each role, as text. */
const roles: Record<TenantRole, { label: Text; hint: Text }> = {
  admin: { label: roleTexts.admin, hint: roleTexts.adminHint },
  issuer: { label: roleTexts.issuer, hint: roleTexts.issuerHint },
  'managed-issuer': { label: roleTexts.managedIssuer, hint: roleTexts.issuerHint },
  verifier: { label: roleTexts.verifier, hint: roleTexts.verifierHint },
  'dts-provider': { label: roleTexts.dtsProvider, hint: roleTexts.dtsProviderHint },
  'dts-consumer': { label: roleTexts.dtsConsumer, hint: roleTexts.dtsConsumerHint },
  viewer: { label: roleTexts.viewer, hint: roleTexts.viewerHint },
  helpdesk: { label: roleTexts.helpdesk, hint: roleTexts.helpdeskHint },
  auditor: { label: roleTexts.auditor, hint: roleTexts.auditorHint },
  approver: { label: roleTexts.approver, hint: roleTexts.approverHint },
  holder: { label: roleTexts.holder, hint: roleTexts.holderHint },
}

/** The roles of the service and those that the tenant defines, for forms. */
export function roleChoices(ownRoles: readonly string[]): Choice[] {
  const ofService = Object.entries(roles).map(([value, words]) => ({ value, ...words }))
  return [...ofService, ...ownRoles.map((value) => ({ value, label: verbatim(value) }))]
}

/** Returns the text of a role. An own role is shown by its name. */
export function roleText(role: string): Text {
  return isOfService(role) ? roles[role].label : verbatim(role)
}

function isOfService(role: string): role is TenantRole {
  return Object.hasOwn(roles, role)
}
