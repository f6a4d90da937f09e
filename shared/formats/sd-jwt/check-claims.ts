import { shownPath } from '../claim-path.ts'
import { type ClaimPointer, pointerText } from './claim-pointer.ts'
import type { ResolvedArray, ResolvedLeaf, ResolvedNode, ResolvedObject } from './claim-tree.ts'
import { isOfType, requirementFor, typeRequirements } from './claim-types.ts'
import { maxClaimBytes, maxClaimDepth, maxDisclosures } from './limits.ts'
import { faultOfName } from './names.ts'

export type ClaimCheck =
  | 'claim_name'
  | 'unknown_claim'
  | 'required_claim'
  | 'required_element'
  | 'claim_type'
  | 'claim_text'
  | 'claim_number'
  | 'claim_depth'
  | 'claims_size'
  | 'disclosure_count'

/** The reason why a claim cannot be issued. */
export interface SdJwtClaimFault {
  readonly check: ClaimCheck
  /** The path of the claim. It is empty for a fault of all claims together. */
  readonly path: ClaimPointer
  /** Names the claim and states the requirement. Never contains a value. */
  readonly message: string
}

/** Claims that fit a tree. Only `checkClaims` creates them. */
export interface CheckedClaims {
  readonly claims: Readonly<Record<string, unknown>>
  readonly tree: ResolvedObject
  /** The number of disclosures that the claims need, without decoys. */
  readonly disclosureCount: number
}

const maxFaults = 20

/** Checks parsed JSON against the claims of a configuration. Returns the first 20 faults, or the claims for `encodeClaims`. */
export function checkClaims(
  claims: Readonly<Record<string, unknown>>,
  tree: ResolvedObject,
): CheckedClaims | { readonly faults: readonly SdJwtClaimFault[] } {
  const inspection: Inspection = { faults: [], path: [], disclosures: 0 }
  inspectMembers(claims, tree, inspection)
  const { faults, disclosures } = inspection
  if (disclosures > maxDisclosures) {
    const message = `The claims must need at most ${maxDisclosures} disclosures. Set disclose or discloseEach to never for large arrays.`
    faults.push({ check: 'disclosure_count', path: [], message })
  }
  // The walk has limited the depth, so that this recursion ends.
  if (faults.length === 0 && Buffer.byteLength(JSON.stringify(claims)) > maxClaimBytes) {
    faults.push({
      check: 'claims_size',
      path: [],
      message: `The claims must have at most ${maxClaimBytes} bytes as JSON.`,
    })
  }
  return faults.length > 0 ? { faults } : { claims, tree, disclosureCount: disclosures }
}

interface Inspection {
  readonly faults: SdJwtClaimFault[]
  /** The path of the inspected value. */
  readonly path: (string | number)[]
  disclosures: number
}

function refuse({ faults, path }: Inspection, check: ClaimCheck, requirement: string): void {
  const message = `The claim ${shownPath(pointerText(path))} ${requirement}.`
  faults.push({ check, path: [...path], message })
}

/** Calls `inspect` with the path extended by one segment. Stops at too many levels, and after the last fault that is returned. */
function inside(inspection: Inspection, segment: string | number, inspect: () => void): void {
  const { faults, path } = inspection
  if (faults.length >= maxFaults) return
  path.push(segment)
  if (path.length > maxClaimDepth) refuse(inspection, 'claim_depth', `must have at most ${maxClaimDepth} levels`)
  else inspect()
  path.pop()
}

function inspectMembers(value: object, { members }: ResolvedObject, inspection: Inspection): void {
  for (const [name, item] of Object.entries(value)) {
    inside(inspection, name, () => {
      const fault = faultOfName(name)
      const member = members.get(name)
      if (fault !== undefined) refuse(inspection, 'claim_name', fault)
      else if (!member)
        refuse(inspection, 'unknown_claim', 'must be in the mappings. Add it there, or remove the claim')
      else inspectNode(item, member, inspection)
    })
  }
  for (const [name, member] of members) {
    if (!member.isRequired || Object.hasOwn(value, name)) continue
    inside(inspection, name, () => refuse(inspection, 'required_claim', 'must have a value'))
  }
}

function inspectNode(value: unknown, node: ResolvedNode, inspection: Inspection): void {
  if (node.isDisclosable) inspection.disclosures++
  if (value === null && node.isRequired) refuse(inspection, 'required_claim', 'must have a value')
  else if (node.kind === 'leaf') inspectLeaf(value, node, inspection)
  else if (!isOfType(value, node.kind)) refuse(inspection, 'claim_type', `must be ${typeRequirements[node.kind]}`)
  // Boundary: the line above checks the kind of the value.
  else if (node.kind === 'object') inspectMembers(value as object, node, inspection)
  else inspectElements(value as unknown[], node, inspection)
}

function inspectElements(elements: readonly unknown[], { each }: ResolvedArray, inspection: Inspection): void {
  if (elements.length === 0 && each.isRequired) refuse(inspection, 'required_element', 'must have at least one element')
  for (const [index, element] of elements.entries()) {
    inside(inspection, index, () => inspectNode(element, each, inspection))
  }
}

function inspectLeaf(value: unknown, { type }: ResolvedLeaf, inspection: Inspection): void {
  if (type !== undefined && !isOfType(value, type))
    refuse(inspection, 'claim_type', `must be ${requirementFor(value, type)}`)
  else inspectJson(value, inspection)
}

/** Inspects a value that the tree does not describe. */
function inspectJson(value: unknown, inspection: Inspection): void {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) refuse(inspection, 'claim_text', 'must be well-formed Unicode, without lone surrogates')
  } else if (typeof value === 'number') {
    const isExact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value)
    if (!isExact) refuse(inspection, 'claim_number', 'must be a number below 2^53. Issue a larger number as a text')
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) inside(inspection, index, () => inspectJson(item, inspection))
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      inside(inspection, name, () => {
        const fault = faultOfName(name)
        if (fault !== undefined) refuse(inspection, 'claim_name', fault)
        else inspectJson(item, inspection)
      })
    }
  } else if (value !== null && typeof value !== 'boolean') {
    refuse(inspection, 'claim_type', 'must be a JSON value')
  }
}
