import type { Profile } from '../../kit/configurations.ts'
import type { Field } from '../../kit/form-values.ts'
import { type Text, verbatim } from '../../kit/language.ts'
import { fieldTexts as labels } from './field-texts.ts'
import { configurationTexts as own } from './texts.ts'

/** A group of fields under a heading. */
export interface Group {
  title: Text
  hint?: Text
  fields: readonly Field[]
  /** A rarely used group is collapsed until it is opened or has a value. */
  isFolded?: true
}

const color = { kind: 'color', placeholder: '#1f4e79' } as const

const type: Field = { name: 'type', label: labels.type, hint: labels.typeHint }
const revocable: Field = { name: 'revocable', label: labels.revocable, hint: labels.revocableHint, kind: 'tick' }

const compact: readonly Group[] = [{ title: own.basics, fields: [type, revocable] }]

const webSemantic: readonly Group[] = [
  {
    title: own.basics,
    fields: [
      { name: 'name', label: labels.name, required: true },
      { name: 'type', label: labels.jsonLdType, hint: labels.jsonLdTypeHint, required: true },
      { name: 'description', label: labels.description, kind: 'long', rows: 2 },
      revocable,
      { name: 'persist', label: labels.persist, hint: labels.persistHint, kind: 'tick' },
    ],
  },
  {
    title: own.issuer,
    fields: [
      { name: 'issuer.name', label: labels.issuerName, required: true },
      { name: 'issuer.logoUrl', label: labels.logoUrl, placeholder: 'https://' },
      { name: 'issuer.iconUrl', label: labels.iconUrl, placeholder: 'https://' },
    ],
  },
  {
    title: own.jsonLd,
    isFolded: true,
    fields: [
      { name: 'additionalTypes', label: labels.additionalTypes, hint: labels.oneInALine, kind: 'lines', rows: 2 },
      { name: 'contexts', label: labels.contexts, hint: labels.contextsHint, kind: 'lines', rows: 3 },
      { name: 'credentialBranding.backgroundColor', label: labels.backgroundColor, ...color },
      { name: 'credentialBranding.watermarkImageUrl', label: labels.watermark, placeholder: 'https://' },
    ],
  },
]

const mobile: readonly Group[] = [
  {
    title: own.basics,
    fields: [
      { name: 'type', label: labels.docType, hint: labels.docTypeHint, required: true },
      { name: 'includeStatus', label: labels.revocable, hint: labels.includeStatusHint, kind: 'tick' },
    ],
  },
  {
    title: own.branding,
    isFolded: true,
    fields: [
      { name: 'branding.name', label: labels.name },
      { name: 'branding.description', label: labels.description, kind: 'long', rows: 2 },
      { name: 'branding.backgroundColor', label: labels.backgroundColor, ...color },
      { name: 'branding.watermarkImage', label: labels.watermark, placeholder: 'https://' },
      { name: 'branding.issuerLogo', label: labels.issuerLogo, placeholder: 'https://' },
      { name: 'branding.issuerIcon', label: labels.iconUrl, placeholder: 'https://' },
    ],
  },
]

const discloseChoices = [
  { value: 'always', label: own.byHolder },
  { value: 'never', label: own.alwaysShown },
]
const timeChoices = (['day', 'hour', 'minute', 'second'] as const).map((value) => ({ value, label: labels[value] }))

const sdJwt: readonly Group[] = [
  {
    title: own.basics,
    fields: [
      { name: 'name', label: labels.name, required: true },
      { name: 'vct', label: labels.vct, hint: labels.vctHint },
      { name: 'description', label: labels.description, kind: 'long', rows: 2 },
      { name: 'includeStatus', label: labels.revocable, hint: labels.includeStatusHint, kind: 'tick' },
      {
        ...{ name: 'keyBinding', label: labels.keyBinding, hint: labels.keyBindingHint },
        ...{ kind: 'tick', isTrueByDefault: true },
      },
      { name: 'persist', label: labels.persist, hint: labels.persistHint, kind: 'tick' },
    ],
  },
  {
    title: own.disclosure,
    isFolded: true,
    fields: [
      { name: 'disclose', label: labels.disclose, kind: 'choice', choices: discloseChoices },
      { name: 'decoys.upTo', label: labels.decoys, hint: labels.decoysHint, kind: 'number' },
      {
        name: 'roundTimesTo',
        label: labels.roundTimesTo,
        hint: labels.roundTimesToHint,
        kind: 'choice',
        choices: timeChoices,
      },
      { name: 'includeIssuer', label: labels.includeIssuer, hint: labels.includeIssuerHint, kind: 'tick' },
      { name: 'akaVcts', label: labels.akaVcts, hint: labels.oneInALine, kind: 'lines', rows: 2 },
    ],
  },
]

export const basics: Record<Profile, readonly Group[]> = {
  compact,
  'compact-semantic': compact,
  'web-semantic': webSemantic,
  mobile,
  'sd-jwt': sdJwt,
}

const mappedTimes: Group = {
  title: own.mappedTimes,
  hint: labels.mappedTimesHint,
  isFolded: true,
  fields: [
    { name: 'validFrom.mapFrom', label: labels.validFrom, placeholder: 'claims.issue_date' },
    { name: 'validUntil.mapFrom', label: labels.validUntil, placeholder: 'claims.expiry_date' },
  ],
}

const request: Group = {
  title: own.request,
  isFolded: true,
  fields: [{ name: 'scope', label: labels.scope, hint: labels.scopeHint, placeholder: 'student-card' }],
}

const keys: Group = {
  title: own.keys,
  hint: labels.keysHint,
  isFolded: true,
  fields: [
    {
      name: 'keyAttestationsRequired.keyStorage',
      label: labels.keyStorage,
      hint: labels.oneInALine,
      kind: 'lines',
      rows: 2,
    },
    {
      ...{ name: 'keyAttestationsRequired.userAuthentication', label: labels.userAuthentication },
      ...{ hint: labels.oneInALine, kind: 'lines', rows: 2 },
    },
  ],
}

/** Returns the groups of rarely used fields. The choices are the claim sources of the tenant, by URL. */
export function furtherGroups(profile: Profile, sources: readonly { id: string; url: string }[]): readonly Group[] {
  const choices = sources.map(({ id, url }) => ({ value: id, label: verbatim(url) }))
  const source: Group = {
    title: own.claimSource,
    hint: labels.claimSourceHint,
    isFolded: true,
    fields: [{ name: 'claimSourceId', label: labels.claimSourceId, kind: 'choice', choices }],
  }
  return [...(profile === 'mobile' || profile === 'sd-jwt' ? [mappedTimes] : []), source, request, keys]
}

/** The fields of the display of a credential in one language. */
export const displayFields: readonly Field[] = [
  { name: 'name', label: labels.name, required: true },
  { name: 'locale', label: labels.locale, placeholder: 'en' },
  { name: 'description', label: labels.description },
  { name: 'logoUrl', label: labels.logoUrl, placeholder: 'https://' },
  { name: 'backgroundColor', label: labels.backgroundColor, ...color },
  { name: 'textColor', label: labels.textColor, ...color, placeholder: '#ffffff' },
]

/** The id of a claim of an SD-JWT VC in SVG templates. */
export const svgIdField: Field = { name: 'svgId', label: labels.svgId, hint: labels.svgIdHint }

/** The fields of the display name of a claim in one language. */
export const claimNameFields: readonly Field[] = [
  { name: 'name', label: labels.name, required: true },
  { name: 'locale', label: labels.locale, placeholder: 'en' },
]
