import { z } from 'zod'
import { parseClaimPath } from '../../../shared/formats/claim-path.ts'
import { missingElements, standardTypeOf } from '../../../shared/formats/mdoc/doc-types.ts'
import { valueTypes } from '../../../shared/formats/mdoc/element-types.ts'
import { Color, described, idOf, Name, named, WebUrl } from '../../http/fields.ts'
import { common, mappingFields, needsSource } from './schemas.ts'

const ValueType = named('ElementType', 'How a value is written in CBOR', z.enum(valueTypes))
const Members = named(
  'ElementMembers',
  'An object: how each of its members is written',
  z.object({ members: z.record(z.string().min(1).max(200), ValueType).describe('By the name of the member') }),
)
const ListOf = named(
  'ElementList',
  'A list: how each of its entries is written',
  z.object({ arrayOf: z.union([ValueType, Members]).describe('An entry') }),
)

const ElementMapping = named(
  'ElementMapping',
  'Where the value of an element comes from',
  needsSource(
    z.object({
      ...mappingFields,
      type: z
        .union([ValueType, Members, ListOf])
        .exactOptional()
        .describe(
          'How the value is written; without one as JSON has it. `date` is a `full-date` or a `tdate`, as the value is; ' +
            '`bstr` comes as base64. Not for elements whose type the standard of the document type gives',
        ),
    }),
  ),
)

const exampleMappings = { 'org.example.member.1': { since: { mapFrom: 'claims.since', type: 'full-date' } } }
const ElementName = z.string().min(1, 'A name has 1 to 200 characters').max(200, 'A name has 1 to 200 characters')
const mostElements = 500

const MappedTime = named(
  'MappedTime',
  'A time that a claim says',
  z.object({
    mapFrom: z
      .string()
      .refine((text) => parseClaimPath(text) !== undefined, 'Must be a path such as claims.x')
      .describe('The claim, such as `claims.valid_until`'),
  }),
).exactOptional()

/** Claims of a document are elements in namespaces; the standard of a document type says what must be among them. */
export const MobileConfiguration = z
  .object({
    type: described(
      z.string().trim().min(1).max(200),
      'The document type, such as `org.iso.18013.5.1.mDL`',
      'org.example.member.1',
    ),
    claimMappings: z.record(ElementName, z.record(ElementName, ElementMapping)).meta({
      description: `What the credential says, by namespace and element; at most ${mostElements}`,
      examples: [exampleMappings],
    }),
    validFrom: MappedTime.describe(
      'A date, or date and time, from which a credential is valid; never before it is signed',
    ),
    validUntil: MappedTime.describe('Until when; never after the document signer is'),
    branding: named(
      'MobileBranding',
      'How wallets show the credential',
      z.object({
        name: described(Name, 'What it is called', 'Library card').exactOptional(),
        description: z.string().max(2000).exactOptional().describe('What it is for'),
        backgroundColor: described(Color, 'Of its card, such as `#1f4e79`', '#1f4e79').exactOptional(),
        watermarkImage: WebUrl.exactOptional().describe('Where the picture behind the text is'),
        issuerLogo: WebUrl.exactOptional().describe("Where the issuer's logo is"),
        issuerIcon: WebUrl.exactOptional().describe("Where the issuer's icon is"),
      }),
    ).exactOptional(),
    includeStatus: described(
      z.boolean().default(false),
      'Whether a token status list has a place for each credential, so that it can be revoked',
      true,
    ),
    ...common,
  })
  .superRefine(({ type, claimMappings }, ctx) => {
    const refuse = (path: string[], message: string) =>
      ctx.addIssue({ code: 'custom', path: ['claimMappings', ...path], message })
    const elements = Object.entries(claimMappings).flatMap(([namespace, mappings]) =>
      Object.entries(mappings).map(([element, mapping]) => ({ path: [namespace, element] as const, mapping })),
    )
    if (elements.length > mostElements) refuse([], `More than ${mostElements} elements`)
    if (elements.length === 0) refuse([], 'Needs an element')
    for (const { path, mapping } of elements) {
      if (mapping.type !== undefined && standardTypeOf(type, ...path) !== undefined) {
        refuse([...path, 'type'], 'The standard of the document type says what this element is')
      }
    }
    const has = (namespace: string, element: string) =>
      elements.some(({ path: [ns, el] }) => ns === namespace && el === element)
    for (const missing of missingElements(type, has)) refuse([...missing], 'Mandatory in this document type')
  })

export const MobileConfigurationView = MobileConfiguration.safeExtend({ id: idOf('mobile configuration') })
