import { z } from 'zod'
import { listPathsIn, splitAtLists } from '../../../shared/domain/issuance/claims/tree-claims.ts'
import { parseListPath } from '../../../shared/formats/claim-path.ts'
import {
  type ClaimArray,
  type ClaimLeaf,
  type ClaimNode,
  type ClaimObject,
  type ClaimTree,
  isClaimArray,
  isClaimObject,
} from '../../../shared/formats/sd-jwt/claim-tree.ts'
import { claimTypes } from '../../../shared/formats/sd-jwt/claim-types.ts'
import { maxClaimDepth } from '../../../shared/formats/sd-jwt/limits.ts'
import { faultOfName, registeredClaims } from '../../../shared/formats/sd-jwt/names.ts'
import { described, named, shownAs, shownAsComponent } from '../../http/fields.ts'
import { fieldIssues, validationMessage } from '../../http/validation-messages.ts'
import { mappingFields, requireSource } from './schemas.ts'

export const Disclose = named(
  'Disclosure',
  '`always`: the holder decides whether a verifier sees the claim. `never`: each verifier sees it',
  z.enum(['always', 'never']),
)

/** Decoy digests hide the number of claims. */
export const Decoys = named(
  'Decoys',
  'Decoy digests, which hide the number of claims',
  z.object({
    upTo: described(
      z.int().min(0).max(100),
      'The number of digests of each object is filled up to a multiple of this number. 0: no decoys',
      8,
    ),
  }),
)

const { display } = mappingFields

const nodeTitle = 'ClaimNode'

/** A claim that is disclosed as a whole. */
const ClaimLeafMapping = named(
  'ClaimLeaf',
  'A claim that is disclosed as a whole',
  requireSource(
    z.strictObject({
      ...mappingFields,
      mapFrom: z
        .string()
        .refine((text) => parseListPath(text) !== undefined, 'Must be a path such as claims.given_name')
        .exactOptional()
        .describe(
          'The path of the value: `claims.given_name`. In an array, `[]` stands for its elements: `claims.degrees[].type`',
        ),
      type: z.enum(claimTypes).exactOptional().describe('The JSON type. A text such as `42` or `true` is converted'),
      disclose: Disclose.exactOptional().describe('Default: the setting of the configuration'),
      svgId: z
        .string()
        .regex(/^[A-Za-z_][A-Za-z0-9_]{0,199}$/, 'Must be letters, digits and underscores, and not start with a digit')
        .exactOptional()
        .describe(
          'The id of the claim in SVG templates (`svg_id` of the type metadata), unique in the configuration. Default with SVG templates: made of the path',
        ),
    }),
  ),
)

/** An object whose members have mappings of their own. */
const ClaimObjectMapping = named(
  'ClaimObject',
  'An object whose members have mappings of their own',
  z.strictObject({
    members: z.record(z.string(), shownAsComponent(nodeTitle)).describe('The mappings of the members, by name'),
    display,
    disclose: Disclose.exactOptional().describe('Default: the setting of the configuration'),
  }),
)

/** An array whose elements have a mapping. */
const ClaimArrayMapping = named(
  'ClaimArray',
  'An array whose elements have a mapping',
  z.strictObject({
    each: shownAsComponent(nodeTitle),
    display,
    disclose: Disclose.exactOptional().describe('Applies to the array as a whole'),
    discloseEach: Disclose.exactOptional().describe('Applies to each element'),
  }),
)

/** The schema for the reference. `inspectNode` checks a node and names its kind in messages. */
const ClaimNodeMapping = named(
  nodeTitle,
  'A claim, an object (`members`) or an array (`each`)',
  z.union([ClaimLeafMapping, ClaimObjectMapping, ClaimArrayMapping]),
)

const maxNodes = 500

const exampleTree = {
  given_name: { mapFrom: 'claims.given_name', required: true },
  address: { members: { locality: { mapFrom: 'claims.address.locality' } }, disclose: 'never' },
  degrees: { each: { members: { type: { mapFrom: 'claims.degrees[].type' } } } },
}

const mappings = described(
  z
    .record(
      z.string(),
      shownAs(() => ClaimNodeMapping),
    )
    .superRefine((tree, ctx) => {
      const inspection: Inspection = { ctx, nodes: 0, svgIds: new Set() }
      if (Object.keys(tree).length === 0) refuse(inspection, [], 'Add at least one claim')
      inspectMembers(tree, { path: [], depth: 1, lists: 0 }, inspection)
      if (inspection.nodes <= maxNodes) return
      refuse(inspection, [], `A configuration can have at most ${maxNodes} claims, objects and arrays`)
    }),
  `The claims of the credential as a tree. At most ${maxNodes} claims, objects and arrays, and ${maxClaimDepth} levels`,
  exampleTree,
)

/** The claims of an SD-JWT VC as one tree. Each node is a claim, an object or an array. */
// Boundary: the refinement checks each node.
export const ClaimTreeMappings = mappings as z.ZodType<ClaimTree>

interface Inspection {
  readonly ctx: z.RefinementCtx
  nodes: number
  /** The ids of the inspected claims in SVG templates. */
  readonly svgIds: Set<string>
}

/** The place of a node: its path in the mappings, its level from 1, and the number of arrays around it. */
interface Place {
  readonly path: readonly string[]
  readonly depth: number
  readonly lists: number
}

function refuse({ ctx }: Inspection, path: readonly PropertyKey[], message: string): false {
  ctx.addIssue({ code: 'custom', path: [...path], message })
  return false
}

/** Inspects the nodes of an object. Returns whether all of them are valid. */
function inspectMembers(tree: Readonly<Record<string, unknown>>, place: Place, inspection: Inspection): boolean {
  const results = Object.entries(tree).map(([name, node]) => {
    const path = [...place.path, name]
    const fault = faultOfName(name)
    if (fault !== undefined) return refuse(inspection, path, `The claim ${fault}`)
    if (place.depth === 1 && registeredClaims.includes(name)) {
      return refuse(inspection, path, 'The credential format reserves this name. Choose another name.')
    }
    return inspectNode(node, { ...place, path }, inspection)
  })
  return !results.includes(false)
}

function inspectNode(node: unknown, place: Place, inspection: Inspection): boolean {
  // The rest of a tree that is too large is not inspected.
  if (++inspection.nodes > maxNodes) return false
  if (place.depth > maxClaimDepth) {
    return refuse(inspection, place.path, `A claim can be at most ${maxClaimDepth} levels deep`)
  }
  const kind = kindOf(node)
  const { error } = kind.safeParse(node, { error: validationMessage })
  for (const { path, message } of error ? fieldIssues(error.issues) : []) {
    refuse(inspection, [...place.path, ...path], message)
  }
  if (error) return false
  // Boundary: the schema of its kind has checked the node, except for the nodes in it.
  const checked = node as ClaimNode
  if (isClaimObject(checked)) return inspectObject(checked, place, inspection)
  return isClaimArray(checked) ? inspectArray(checked, place, inspection) : inspectLeaf(checked, place, inspection)
}

function kindOf(node: unknown) {
  if (typeof node === 'object' && node !== null && 'members' in node) return ClaimObjectMapping
  return typeof node === 'object' && node !== null && 'each' in node ? ClaimArrayMapping : ClaimLeafMapping
}

function inspectObject({ members }: ClaimObject, place: Place, inspection: Inspection): boolean {
  const path = [...place.path, 'members']
  if (Object.keys(members).length === 0) return refuse(inspection, path, 'Add at least one member')
  return inspectMembers(members, { ...place, path, depth: place.depth + 1 }, inspection)
}

function inspectArray({ each }: ClaimArray, place: Place, inspection: Inspection): boolean {
  const path = [...place.path, 'each']
  const inside = { path, depth: place.depth + 1, lists: place.lists + 1 }
  if (!inspectNode(each, inside, inspection)) return false
  if (each.disclose !== undefined) {
    return refuse(inspection, [...path, 'disclose'], 'Set discloseEach of the array instead')
  }
  const lists = new Set(listPathsIn(each, place.lists).map((parts) => JSON.stringify(parts)))
  if (lists.size === 1) return true
  const message =
    lists.size === 0
      ? 'Add a path in which [] stands for the elements of this array, such as claims.degrees[].type'
      : 'All paths in this array must go through the same list'
  return refuse(inspection, path, message)
}

function inspectLeaf({ mapFrom, svgId }: ClaimLeaf, place: Place, inspection: Inspection): boolean {
  if (svgId !== undefined && inspection.svgIds.has(svgId)) {
    return refuse(inspection, [...place.path, 'svgId'], 'Another claim has this id. Choose another one')
  }
  if (svgId !== undefined) inspection.svgIds.add(svgId)
  const parsed = mapFrom === undefined ? undefined : parseListPath(mapFrom)
  if (!parsed || splitAtLists(parsed.path).length <= place.lists + 1) return true
  const message = 'Each [] of a path needs an array around the claim. Add an array (each) or remove the []'
  return refuse(inspection, [...place.path, 'mapFrom'], message)
}
