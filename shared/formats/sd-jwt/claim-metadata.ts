import type { ClaimPointer } from './claim-pointer.ts'
import type { ClaimDisplay, ResolvedNode, ResolvedObject } from './claim-tree.ts'

/** A claims description of an issuer's metadata (OpenID4VCI 1.0, appendix B.2). */
export interface ClaimDescription {
  readonly path: ClaimPointer
  readonly mandatory: boolean
  readonly display: readonly ClaimDisplay[]
}

/**
 * Describes the claims for `credential_metadata.claims`, in the order of the tree. The elements of an array are described if they have
 * a display of their own. A claim without a display is shown with its name.
 */
export function describeClaims(tree: ResolvedObject): ClaimDescription[] {
  return placedNodes(tree).flatMap(({ path, node }): ClaimDescription[] => {
    const name = path.at(-1)
    const display = node.display ?? (typeof name === 'string' ? [{ name }] : undefined)
    return display ? [{ path, mandatory: node.isRequired, display }] : []
  })
}

/** Claim metadata of a type (draft-ietf-oauth-sd-jwt-vc, section "Claim Metadata"). */
export interface ClaimMetadata {
  readonly path: ClaimPointer
  readonly mandatory: boolean
  readonly sd: 'always' | 'never'
  readonly display?: readonly { readonly locale: string; readonly label: string }[]
  readonly svg_id?: string
}

/**
 * Describes the claims for type metadata, in the order of the tree: each claim, and the elements of each array. `hasSvgIds` adds ids for SVG
 * templates to the claims without an id of their own. Elements of arrays get none, because their number is not fixed.
 */
export function claimMetadata(tree: ResolvedObject, hasSvgIds = false): ClaimMetadata[] {
  const nodes = placedNodes(tree)
  const takenIds = new Set(nodes.flatMap(({ node }) => ownSvgId(node) ?? []))
  const svgIdOf = ({ path, node }: PlacedNode): string | undefined => {
    const isNamed = hasSvgIds && node.kind === 'leaf' && !path.includes(null)
    return ownSvgId(node) ?? (isNamed ? newSvgId(path, takenIds) : undefined)
  }
  return nodes.map((placed) => {
    const { path, node } = placed
    const svgId = svgIdOf(placed)
    return {
      path,
      mandatory: node.isRequired,
      sd: node.isDisclosable ? 'always' : 'never',
      ...(node.display && { display: node.display.map(labelIn) }),
      ...(svgId !== undefined && { svg_id: svgId }),
    }
  })
}

/** The draft requires a locale. `und` is the tag of an undetermined language (RFC 5646, section 4.1). */
function labelIn({ name, locale = 'und' }: ClaimDisplay): { locale: string; label: string } {
  return { locale, label: name }
}

function ownSvgId(node: ResolvedNode): string | undefined {
  return node.kind === 'leaf' ? node.svgId : undefined
}

/** Builds a unique id of letters, digits and underscores that does not start with a digit: `address_street_address`. */
function newSvgId(path: ClaimPointer, taken: Set<string>): string {
  const base = path
    .join('_')
    .replace(/[^A-Za-z0-9_]/gu, '_')
    .replace(/^(?=\d)/u, '_')
  let id = base
  for (let count = 2; taken.has(id); count++) id = `${base}_${count}`
  taken.add(id)
  return id
}

interface PlacedNode {
  readonly path: ClaimPointer
  readonly node: ResolvedNode
}

/** Returns the nodes below the root, each before its members or elements. */
function placedNodes(tree: ResolvedObject): PlacedNode[] {
  return [...tree.members].flatMap(([name, member]) => placedWithin([name], member))
}

function placedWithin(path: ClaimPointer, node: ResolvedNode): PlacedNode[] {
  const inner = node.kind === 'object' ? [...node.members] : node.kind === 'array' ? [[null, node.each] as const] : []
  return [{ path, node }, ...inner.flatMap(([segment, each]) => placedWithin([...path, segment], each))]
}
