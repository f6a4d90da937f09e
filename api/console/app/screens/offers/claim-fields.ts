import type { Configuration, MappedClaim } from '../../kit/configurations.ts'
import type { Field } from '../../kit/form-values.ts'
import { language, say, type Text, verbatim } from '../../kit/language.ts'
import { claimPathOf, hasAt, putAt } from './claim-path.ts'
import { offerTexts } from './texts.ts'

/** A claim that the offered credentials need: its path in the person's claims, and its form field. */
export interface ClaimField {
  path: readonly string[]
  field: Field
}

/** Returns the claims that the chosen configurations read, each once, the required claims first. */
export function claimFieldsOf(configurations: readonly Configuration[]): ClaimField[] {
  const byPath = new Map<string, ClaimField>()
  for (const configuration of configurations) {
    for (const claim of configuration.claims) {
      const path = claimPathOf(claim.mapping.mapFrom)
      if (!path) continue
      const key = JSON.stringify(path)
      const earlier = byPath.get(key)
      const field = fieldOf(`claim ${key}`.replaceAll('.', '·'), configuration, claim)
      byPath.set(key, earlier?.field.required ? earlier : { path, field })
    }
  }
  const all = [...byPath.values()]
  return [...all.filter(({ field }) => field.required), ...all.filter(({ field }) => !field.required)]
}

/** Returns the fields of required claims that may have another source: the stored claims of a user, or a claim source. */
export function withOtherSources(fields: readonly ClaimField[], isOptional: boolean): ClaimField[] {
  return fields.map(({ path, field }) => ({
    path,
    field: { ...field, required: !isOptional && field.required === true },
  }))
}

/** Returns the names of the required claims without a value in the claims. */
export function missingIn(fields: readonly ClaimField[], claims: unknown): string[] {
  return fields.flatMap(({ path, field }) => (field.required && !hasAt(claims, path) ? [say(field.label)] : []))
}

/** Returns the typed claims. `values` are by field name. */
export function claimsOf(fields: readonly ClaimField[], values: Record<string, unknown>): Record<string, unknown> {
  const claims: Record<string, unknown> = {}
  for (const { path, field } of fields) {
    const value = values[field.name]
    if (value !== undefined) putAt(claims, path, field.kind === 'choice' ? value === 'true' : value)
  }
  return claims
}

function fieldOf(name: string, { type, profile }: Configuration, { path, mapping }: MappedClaim): Field {
  const own = mapping.display?.find(({ locale }) => locale?.startsWith(language.value)) ?? mapping.display?.[0]
  const label = own?.name ?? path.at(-1) ?? ''
  const isTyped = profile === 'mobile' || profile === 'sd-jwt'
  const kind = isTyped ? kindOf(mapping.type ?? standardType(type, path)) : 'text'
  const required = mapping.required === true && mapping.defaultValue === undefined
  return {
    ...{ name, kind, required, label: same(label) },
    ...(kind === 'choice' && { choices: yesOrNo }),
    ...(mapping.defaultValue !== undefined && { placeholder: mapping.defaultValue }),
    ...(kind === 'json' && { rows: 3 }),
  }
}

const same = (text: string): Text => verbatim(text)
const yesOrNo = [
  { value: 'true', label: offerTexts.yes },
  { value: 'false', label: offerTexts.no },
]

/** Returns the element type that the standard of the document type defines. */
function standardType(docType: string, [, element = '']: readonly string[]): string | undefined {
  if (!/^org\.iso\.(18013\.5\.1\.mDL|23220\.photoid\.1)$/.test(docType)) return undefined
  if (/^(portrait|signature_usual_mark|biometric_template_)/.test(element) && element !== 'portrait_capture_date')
    return 'bstr'
  if (/^age_over_/.test(element)) return 'bool'
  if (/^(birth|issue|expiry)_date$/.test(element)) return 'full-date'
  if (/^(sex|height|weight|age_in_years|age_birth_year)$/.test(element)) return 'uint'
  return element === 'driving_privileges' ? 'json' : undefined
}

function kindOf(type: unknown): NonNullable<Field['kind']> {
  if (typeof type === 'object' || type === 'json') return 'json'
  if (type === 'bool') return 'choice'
  if (type === 'bstr') return 'file'
  if (type === 'int' || type === 'uint') return 'number'
  return type === 'full-date' || type === 'date' ? 'date' : 'text'
}
