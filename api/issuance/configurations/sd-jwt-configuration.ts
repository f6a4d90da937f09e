import { z } from 'zod'
import { timeUnits } from '../../../shared/domain/issuance/credential-times.ts'
import { sdJwtTypePath } from '../../../shared/domain/issuance/sd-jwt-types.ts'
import { described, exampleBaseUrl, exampleId, idOf, Name, named, WebUrl, withoutExample } from '../../http/fields.ts'
import { MappedTime } from './mobile-schemas.ts'
import { common, persist, revocable } from './schemas.ts'
import { ClaimTreeMappings, Decoys, Disclose } from './sd-jwt-schemas.ts'

/** The type of an SD-JWT VC. */
export const Vct = z
  .string()
  .min(1)
  .max(500)
  .regex(/^[\x21-\x7e]+$/, 'Must be a URL or a URN, in ASCII without spaces')

const vctWords = 'The type of the credential (`vct`): a URL or a URN'
const exampleVct = 'urn:example:student-card'
const exampleDisplay = [{ name: 'Student card', locale: 'en' }]

const Integrity = z
  .string()
  .max(500)
  .regex(/^sha(256|384|512)-[A-Za-z0-9+/]+={0,2}$/, 'Must be a hash such as sha256-… in base64 (Subresource Integrity)')
  .describe('The hash of the document (W3C Subresource Integrity)')

const SvgTemplate = named(
  'SvgTemplate',
  'An SVG that wallets fill with claims',
  z.object({
    url: WebUrl.describe('The URL of the SVG'),
    integrity: Integrity.exactOptional(),
    orientation: named(
      'SvgOrientation',
      'The orientation of a display',
      z.enum(['portrait', 'landscape']),
    ).exactOptional(),
    colorScheme: named('SvgColorScheme', 'The color scheme of a display', z.enum(['light', 'dark'])).exactOptional(),
    contrast: named('SvgContrast', 'The contrast of a display', z.enum(['normal', 'high'])).exactOptional(),
  }),
)

const ExtendedVct = Vct.regex(/^[a-z][a-z0-9+.-]*:/i, 'Must be a URI, such as a URL or a URN').describe(
  'The type: a URI. Wallets retrieve the type metadata of a URL',
)

/** draft-ietf-oauth-sd-jwt-vc, section "SVG Rendering": a wallet chooses between templates by their properties. */
const SvgTemplates = z
  .array(SvgTemplate)
  .min(1)
  .max(20)
  .superRefine((templates, ctx) => {
    const message = 'One of several templates must have orientation, colorScheme or contrast'
    for (const [index, { orientation, colorScheme, contrast }] of templates.entries())
      if (templates.length > 1 && orientation === undefined && colorScheme === undefined && contrast === undefined)
        ctx.addIssue({ code: 'custom', path: [index], message })
  })

const TypeMetadata = named(
  'TypeMetadata',
  'More content of the type metadata (draft-ietf-oauth-sd-jwt-vc). Names, displays and claims are those of the configuration',
  z.object({
    extends: named(
      'ExtendedType',
      'The type that the type extends',
      z.object({ vct: ExtendedVct, integrity: Integrity.exactOptional() }),
    ).exactOptional(),
    rendering: named(
      'TypeRendering',
      'How wallets draw the credential',
      z.object({
        backgroundImageUrl: WebUrl.exactOptional().describe('The URL of the background picture'),
        svgTemplates: SvgTemplates.exactOptional().describe('The first one that fits is used'),
      }),
    ).exactOptional(),
  }),
)

/** A configuration of SD-JWT VCs (draft-ietf-oauth-sd-jwt-vc). Its claims are one tree. */
export const SdJwtConfiguration = z
  .object({
    vct: described(Vct, `${vctWords}. Default: the URL of its type metadata`, exampleVct).exactOptional(),
    akaVcts: z
      .array(Vct)
      .min(1)
      .max(20)
      .exactOptional()
      .describe('More types of the credential (`aka_vcts`), for verifiers that know another type'),
    name: described(Name, 'The name of the credential, for languages without a display', 'Student card'),
    description: z.string().max(2000).exactOptional().describe('The purpose of the credential'),
    claimMappings: ClaimTreeMappings,
    disclose: Disclose.default('always').describe('Applies to claims without a setting of their own'),
    decoys: Decoys.default({ upTo: 0 }),
    includeStatus: z
      .boolean()
      .default(false)
      .describe(
        'Whether each credential gets an entry in a token status list, so that it can be suspended and revoked',
      ),
    includeIssuer: z
      .boolean()
      .default(false)
      .describe(
        'Whether credentials have `iss`, the base URL of the tenant, for verifiers that find keys in the JWT VC issuer metadata',
      ),
    keyBinding: z
      .boolean()
      .default(true)
      .describe(
        'Whether credentials are bound to keys of the wallet. `false`: each request gives one credential, without proofs',
      ),
    persist,
    validFrom: MappedTime.describe(
      'A date, or date and time, from which a credential is valid. Never before it is signed',
    ),
    validUntil: MappedTime.describe('The end of the validity. Never after the end of the certificate of the signer'),
    roundTimesTo: named('TimeUnit', 'A unit of time', z.enum(timeUnits))
      .default('day')
      .describe('The times of a credential are rounded down to this unit, so that they do not link credentials'),
    signerCaId: withoutExample(idOf('IACA'))
      .describe('The authority whose signer signs. Default: the newest active authority')
      .exactOptional(),
    typeMetadata: TypeMetadata.exactOptional(),
    ...common,
    display: common.display.meta({ examples: [exampleDisplay] }),
    revocable: revocable.describe('Means the same as `includeStatus`'),
  })
  .superRefine(({ vct, akaVcts = [], keyBinding, keyAttestationsRequired, reusePolicy }, ctx) => {
    if (!keyBinding && keyAttestationsRequired) {
      const message = 'Credentials without key binding have no keys to attest. Leave it out or set keyBinding'
      ctx.addIssue({ code: 'custom', path: ['keyAttestationsRequired'], message })
    }
    if (!keyBinding && reusePolicy) {
      const message = 'Wallets request one credential without key binding. Leave it out or set keyBinding'
      ctx.addIssue({ code: 'custom', path: ['reusePolicy'], message })
    }
    for (const [index, type] of akaVcts.entries()) {
      if (type !== vct && akaVcts.indexOf(type) === index) continue
      ctx.addIssue({ code: 'custom', path: ['akaVcts', index], message: 'Must differ from vct and the other types' })
    }
  })

export const SdJwtConfigurationView = SdJwtConfiguration.safeExtend({
  id: idOf('sd-jwt configuration'),
  vct: described(Vct, vctWords, exampleVct),
  typeMetadataUrl: described(
    z.url(),
    'The newest version of its type metadata. They are authoritative only if `vct` is this URL',
    exampleBaseUrl + sdJwtTypePath(exampleId('sd-jwt configuration'), 1),
  ).exactOptional(),
})
