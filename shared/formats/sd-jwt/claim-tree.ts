import type { ClaimType } from './claim-types.ts'
import { registeredClaims } from './names.ts'

/** Whether a claim has a disclosure of its own. A node without it has the value of its configuration. */
export type Disclosability = 'always' | 'never'

export interface ClaimDisplay {
  readonly name: string
  readonly locale?: string
}

/** A claim whose value is disclosed as a whole. */
export interface ClaimLeaf {
  /** The path of the value: `claims.given_name`. In an array, `[]` stands for its elements: `claims.degrees[].type`. */
  readonly mapFrom?: string
  readonly defaultValue?: string
  readonly required?: boolean
  readonly display?: readonly ClaimDisplay[]
  readonly type?: ClaimType
  readonly disclose?: Disclosability
  /** The id of the claim in SVG templates. */
  readonly svgId?: string
}

/** An object whose members have settings of their own. */
export interface ClaimObject {
  readonly members: ClaimTree
  readonly display?: readonly ClaimDisplay[]
  readonly disclose?: Disclosability
}

/** An array. `disclose` applies to the array, and `discloseEach` to each of its elements. */
export interface ClaimArray {
  readonly each: ClaimNode
  readonly display?: readonly ClaimDisplay[]
  readonly disclose?: Disclosability
  readonly discloseEach?: Disclosability
}

export type ClaimNode = ClaimLeaf | ClaimObject | ClaimArray

/** The claims of a configuration by name. */
export type ClaimTree = Readonly<Record<string, ClaimNode>>

export function isClaimObject(node: ClaimNode): node is ClaimObject {
  return 'members' in node
}

export function isClaimArray(node: ClaimNode): node is ClaimArray {
  return 'each' in node
}

/** Returns the number of claims that have a value of their own. */
export function countLeaves(tree: ClaimTree): number {
  const ofNode = (node: ClaimNode): number => {
    if (isClaimObject(node)) return countLeaves(node.members)
    return isClaimArray(node) ? ofNode(node.each) : 1
  }
  return Object.values(tree).reduce((sum, node) => sum + ofNode(node), 0)
}

interface Resolved {
  /** Whether the claim, or the element of an array, has a disclosure of its own. */
  readonly isDisclosable: boolean
  /** Whether each credential has the claim. An object or array is required if anything in it is. */
  readonly isRequired: boolean
  readonly display?: readonly ClaimDisplay[]
}

export interface ResolvedLeaf extends Resolved {
  readonly kind: 'leaf'
  readonly type?: ClaimType
  readonly svgId?: string
}

export interface ResolvedObject extends Resolved {
  readonly kind: 'object'
  readonly members: ReadonlyMap<string, ResolvedNode>
}

export interface ResolvedArray extends Resolved {
  readonly kind: 'array'
  readonly each: ResolvedNode
}

export type ResolvedNode = ResolvedLeaf | ResolvedObject | ResolvedArray

/**
 * Resolves what the nodes of a tree inherit. `disclose` is the setting of the configuration. Registered claims and everything below
 * them are not disclosable, whatever the tree says. The result is the payload as an object.
 */
export function resolveTree(tree: ClaimTree, disclose: Disclosability = 'always'): ResolvedObject {
  const members = Object.entries(tree).map(([name, node]): [string, ResolvedNode] => {
    const inherited = registeredClaims.includes(name) ? undefined : disclose
    return [name, resolveNode(node, node.disclose, inherited)]
  })
  return { kind: 'object', isDisclosable: false, ...resolvedMembers(members) }
}

/** `own` is the setting of the node. `inherited` is that of the configuration, or undefined below a registered claim. */
function resolveNode(
  node: ClaimNode,
  own: Disclosability | undefined,
  inherited: Disclosability | undefined,
): ResolvedNode {
  const isDisclosable = inherited !== undefined && (own ?? inherited) === 'always'
  const common = { isDisclosable, ...(node.display && { display: node.display }) }
  if (isClaimObject(node)) {
    const members = Object.entries(node.members).map(([name, member]): [string, ResolvedNode] => {
      return [name, resolveNode(member, member.disclose, inherited)]
    })
    return { kind: 'object', ...common, ...resolvedMembers(members) }
  }
  if (isClaimArray(node)) {
    const each = resolveNode(node.each, node.discloseEach, inherited)
    return { kind: 'array', ...common, isRequired: each.isRequired, each }
  }
  const { required: isRequired = false, type, svgId } = node
  return { kind: 'leaf', ...common, isRequired, ...(type && { type }), ...(svgId !== undefined && { svgId }) }
}

function resolvedMembers(members: [string, ResolvedNode][]): Pick<ResolvedObject, 'members' | 'isRequired'> {
  return { members: new Map(members), isRequired: members.some(([, member]) => member.isRequired) }
}
