import { z } from 'zod'
import { parseClaimPath } from '../../../shared/formats/claim-path.ts'
import { isForbidden, missingElements, standardTypeOf } from '../../../shared/formats/mdoc/doc-types.ts'
import { valueTypes } from '../../../shared/formats/mdoc/element-types.ts'
import { whyForbidden } from '../../../shared/formats/mdoc/value-faults.ts'
import { Color, described, idOf, Name, named, WebUrl } from '../../http/fields.ts'
import { common, mappingFields, requireSource } from './schemas.ts'

const ValueType = named('ElementType', 'The CBOR type of a value', z.enum(valueTypes))
const Members = named(
  'ElementMembers',
  'An object, with the type of each member',
  z.object({ members: z.record(z.string().min(1).max(200), ValueType).describe('By the name of the member') }),
)
const ListOf = named(
  'ElementList',
  'A list, with the type of its entries',
  z.object({ arrayOf: z.union([ValueType, Members]).describe('The type of an entry') }),
)

const ElementMapping = named(
  'ElementMapping',
  'The source of the value of an element',
  requireSource(
    z.object({
      ...mappingFields,
      type: z
        .union([ValueType, Members, ListOf])
        .exactOptional()
        .describe(
          'The CBOR type of the value. Default: the JSON type. `date` is encoded as `full-date` or `tdate`, depending on the value. ' +
            '`bstr` is given in base64. Not allowed for elements whose type the standard of the document type defines',
        ),
    }),
  ),
)

const exampleMappings = { 'org.example.member.1': { since: { mapFrom: 'claims.since', type: 'full-date' } } }
const ElementName = z.string().min(1, 'A name has 1 to 200 characters').max(200, 'A name has 1 to 200 characters')
const maxElements = 500

export const MappedTime = named(
  'MappedTime',
  'A time that a claim provides',
  z.object({
    mapFrom: z
      .string()
      .refine((text) => parseClaimPath(text) !== undefined, 'Must be a path such as claims.x')
      .describe('The claim, such as `claims.valid_until`'),
  }),
).exactOptional()

/**
 * A mobile configuration. Its claims are elements in namespaces. The standard of a document type defines the mandatory
 * elements.
 */
export const MobileConfiguration = z
  .object({
    type: described(
      z.string().trim().min(1).max(200),
      'The document type, such as `org.iso.18013.5.1.mDL`',
      'org.example.member.1',
    ),
    claimMappings: z.record(ElementName, z.record(ElementName, ElementMapping)).meta({
      description: `The elements of the credential, by namespace and element. At most ${maxElements}`,
      examples: [exampleMappings],
    }),
    validFrom: MappedTime.describe(
      'A date, or date and time, from which a credential is valid. Never before it is signed',
    ),
    validUntil: MappedTime.describe('The end of the validity. Never after the end of the document signer certificate'),
    branding: named(
      'MobileBranding',
      'How wallets show the credential',
      z.object({
        name: described(Name, 'The name of the credential', 'Library card').exactOptional(),
        description: z.string().max(2000).exactOptional().describe('The purpose of the credential'),
        backgroundColor: described(Color, 'The card color, such as `#1f4e79`', '#1f4e79').exactOptional(),
        watermarkImage: WebUrl.exactOptional().describe('The URL of the background picture'),
        issuerLogo: WebUrl.exactOptional().describe('The URL of the logo of the issuer'),
        issuerIcon: WebUrl.exactOptional().describe('The URL of the icon of the issuer'),
      }),
    ).exactOptional(),
    includeStatus: described(
      z.boolean().default(false),
      'Whether each credential gets an entry in a token status list, so that it can be revoked',
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
    if (elements.length > maxElements) refuse([], `A configuration can have at most ${maxElements} elements`)
    if (elements.length === 0) refuse([], 'Add at least one element')
    for (const { path, mapping } of elements) {
      if (mapping.type !== undefined && standardTypeOf(type, ...path) !== undefined) {
        refuse([...path, 'type'], 'Remove the type: the standard of the document type defines it')
      }
      if (isForbidden(type, ...path)) {
        const own = 'Put elements of your own in a namespace of your own'
        refuse([...path], `The standard of the document type defines no such element. ${own}`)
      }
      const why = mapping.defaultValue === undefined ? undefined : whyForbidden(type, ...path, mapping.defaultValue)
      if (why !== undefined) refuse([...path, 'defaultValue'], `By the standard of the document type, it ${why}`)
    }
    const has = (namespace: string, element: string) =>
      elements.some(({ path: [ns, el] }) => ns === namespace && el === element)
    for (const missing of missingElements(type, has)) refuse([...missing], 'Mandatory in this document type')
  })

export const MobileConfigurationView = MobileConfiguration.safeExtend({ id: idOf('mobile configuration') })
