import type { Choice, Field } from '../../kit/form-values.ts'
import { verbatim } from '../../kit/language.ts'
import { settingTexts as t, tenantTexts } from './texts.ts'

const hexColor = { placeholder: '#1f4e79' } as const

const name: Field = { name: 'name', label: t.name, hint: t.nameHint, required: true }

/** The names of products, which are the same in each language. */
export const walletFamilyChoices: readonly Choice[] = [
  { value: 'eudi-android', label: verbatim('EUDI Wallet (Android)') },
  { value: 'eudi-ios', label: verbatim('EUDI Wallet (iOS)') },
  { value: 'credo', label: verbatim('Credo') },
  { value: 'multipaz', label: verbatim('Multipaz') },
  { value: 'walt-id', label: verbatim('walt.id') },
  { value: 'inji', label: verbatim('Inji') },
]

/** The settings of a tenant that `PUT /v1/tenants/{tenantId}` accepts. */
export const settingFields: readonly Field[] = [
  name,
  { name: 'branding.logoUrl', label: t.logoUrl, hint: t.logoHint, placeholder: 'https://' },
  { name: 'branding.backgroundColor', label: t.backgroundColor, ...hexColor },
  { name: 'branding.accentColor', label: t.accentColor, ...hexColor },
  { name: 'branding.contact', label: t.contact, hint: t.contactHint, placeholder: 'mailto:help@example.org' },
  {
    ...{ name: 'branding.offerUrl', label: t.offerUrl, hint: t.offerUrlHint },
    placeholder: 'openid-credential-offer://',
  },
  {
    name: 'branding.walletLinks',
    label: t.walletLinks,
    hint: t.walletLinksHint,
    kind: 'json',
    rows: 3,
    placeholder: '[{"name": "…", "url": "https://", "offerUrl": "https://"}]',
  },
  { name: 'branding.names', label: t.names, kind: 'json', rows: 3, placeholder: '[{"name": "…", "locale": "de"}]' },
  {
    ...{ name: 'branding.texts', label: t.pageTexts, hint: t.pageTextsHint, kind: 'json', rows: 3 },
    placeholder: '[{"locale": "de", "heading": "…", "advice": "…", "contact": "…"}]',
  },
  {
    ...{ name: 'profile', label: t.profile, kind: 'choice', required: true },
    choices: [
      { value: 'standard', label: t.standard },
      { value: 'haip', label: t.haip },
      { value: 'eudi', label: t.eudi },
      { value: 'lenient', label: t.lenient },
    ],
  },
  {
    ...{ name: 'walletFamilies', label: t.walletFamilies, hint: t.walletFamiliesHint, kind: 'several' },
    ...{ choices: walletFamilyChoices, byDefault: t.noneByDefault },
  },
  {
    ...{ name: 'defaultView', label: t.defaultView, hint: t.defaultViewHint, kind: 'choice', required: true },
    choices: [
      { value: 'tenant', label: t.viewOfTenant },
      { value: 'fitting', label: t.fittingView },
    ],
  },
  { name: 'publicClients', label: t.publicClients, kind: 'tick' },
  { name: 'reviewBeforeSignIn', label: t.reviewBeforeSignIn, hint: t.reviewHint, kind: 'tick' },
  { name: 'encryption.requestRequired', label: t.requestRequired, kind: 'tick' },
  { name: 'encryption.responseRequired', label: t.responseRequired, hint: t.responseHint, kind: 'tick' },
  {
    ...{ name: 'deferredIssuance', label: t.deferredIssuance, kind: 'choice', required: true },
    choices: [
      { value: 'never', label: t.never },
      { value: 'whenSlow', label: t.whenSlow },
    ],
  },
  {
    ...{ name: 'maxCredentialsPerSession', label: t.maxCredentialsPerSession, hint: t.maxCredentialsHint },
    ...{ kind: 'number', required: true },
  },
  {
    ...{ name: 'statusListFormat', label: t.statusListFormat, kind: 'choice', required: true },
    choices: [
      { value: 'draft14', label: t.draft14 },
      { value: 'legacy', label: t.legacy },
    ],
  },
  {
    ...{ name: 'suspensionMaxAgeSeconds', label: t.suspensionMaxAge, hint: t.suspensionMaxAgeHint },
    ...{ kind: 'number', required: true },
  },
  { name: 'aliases', label: t.aliases, hint: t.aliasesHint, kind: 'lines', rows: 2, byDefault: t.noneByDefault },
  {
    name: 'keyRotation.credentials.days',
    label: t.credentialsDays,
    hint: t.daysHint,
    kind: 'number',
    byDefault: t.onRequest,
  },
  { name: 'keyRotation.webhooks.days', label: t.webhooksDays, kind: 'number', byDefault: t.onRequest },
  { name: 'keyRotation.tokens.days', label: t.tokensDays, kind: 'number', byDefault: t.onRequest },
  { name: 'keyRotation.encryption.days', label: t.encryptionDays, kind: 'number', byDefault: t.onRequest },
  {
    name: 'keyAttestationRoots',
    label: t.keyAttestationRoots,
    hint: t.rootsHint,
    kind: 'lines',
    rows: 3,
    byDefault: t.noneByDefault,
  },
  { name: 'lockManagedObjects', label: t.lockManagedObjects, hint: t.lockManagedHint, kind: 'tick' },
  { name: 'testWallet', label: t.testWallet, hint: t.testWalletHint, kind: 'tick' },
  {
    ...{ name: 'limits', label: t.limits, hint: t.limitsHint, kind: 'json', rows: 3 },
    ...{ placeholder: '{"webhooks": 20}', byDefault: t.limitsByDefault },
  },
]

const ownSettings = ['deferredIssuance', 'walletFamilies', 'defaultView']

/** The settings that `PUT /v1/settings` accepts from an admin of the tenant. */
export const ownFields: readonly Field[] = settingFields.filter(
  (field) => field === name || field.name.startsWith('branding.') || ownSettings.some((each) => each === field.name),
)

export const newTenantFields: readonly Field[] = [
  name,
  {
    ...{ name: 'subdomain', label: tenantTexts.subdomain, hint: tenantTexts.subdomainHint },
    ...{ required: true, placeholder: 'university' },
  },
  { name: 'createRoot', label: tenantTexts.createRoot, hint: tenantTexts.createRootHint, kind: 'tick' },
  { name: 'country', label: tenantTexts.country, hint: tenantTexts.countryHint },
]

const certificate = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g

/** Returns the settings. Empty fields are sent as empty, because the operation keeps members that are omitted. */
export function settingsOf(body: Record<string, unknown>): Record<string, unknown> {
  const roots = Array.isArray(body.keyAttestationRoots) ? body.keyAttestationRoots.join('\n') : ''
  return {
    ...{ aliases: [], branding: {}, keyRotation: {}, keys: {}, limits: {}, walletFamilies: [], ...body },
    keyAttestationRoots: roots.match(certificate) ?? (roots ? [roots] : []),
  }
}
