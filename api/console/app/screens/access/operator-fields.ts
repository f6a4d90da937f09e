import type { Schemas } from '../../kit/api.ts'
import type { Field } from '../../kit/form-values.ts'
import { clientFields, issuerField } from './provider-fields.ts'
import { roleChoices } from './roles.ts'
import { accessTexts } from './texts.ts'

type Provider = Schemas['SignInProvider']
type Body = Schemas['SignInProviderRequest']

export const ownFields: readonly Field[] = [
  { name: 'name', label: accessTexts.providerName, hint: accessTexts.providerNameHint, required: true },
  issuerField('issuer'),
  ...clientFields,
  { name: 'claim', label: accessTexts.rolesClaim, hint: accessTexts.rolesClaimHint, required: true },
  { name: 'userClaim', label: accessTexts.userClaim, hint: accessTexts.userClaimHint, required: true },
]

/** Each role has a field for the claim values that grant it. A value that grants several roles is in several fields. */
export function roleFieldsOf(ownRoles: readonly string[]): readonly Field[] {
  return roleChoices(ownRoles).map(({ value, label }) => ({ name: `values.${value}`, label, kind: 'lines', rows: 2 }))
}

export const start = {
  tokenEndpointAuthMethod: 'client_secret_basic',
  assertionAudience: 'issuer',
  scope: ['openid', 'profile'],
  claim: 'groups',
  userClaim: 'sub',
}

export function typedOfProvider(provider: Provider): object {
  const values = Object.fromEntries(
    provider.roles
      .flatMap((row) => row.roles)
      .map((role) => [role, provider.roles.filter((row) => row.roles.includes(role)).map(({ value }) => value)]),
  )
  return { ...provider, values }
}

/** Returns the body of the operation: one row for each claim value, with the roles that it grants. */
export function bodyOfTyped({ values, ...content }: Record<string, unknown>): Body {
  const rows = new Map<string, string[]>()
  for (const [role, all] of Object.entries((values ?? {}) as Record<string, string[]>))
    for (const value of all) rows.set(value, [...(rows.get(value) ?? []), role])
  // Boundary: the fields build the body of the operation, and the service validates it.
  return { ...content, roles: [...rows].map(([value, grantedRoles]) => ({ value, roles: grantedRoles })) } as Body
}
