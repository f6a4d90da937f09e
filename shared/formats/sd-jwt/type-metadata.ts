import { hash } from 'node:crypto'
import { claimMetadata } from './claim-metadata.ts'
import type { ClaimDisplay, ResolvedObject } from './claim-tree.ts'

/** The metadata of the type of a configuration. URLs have the scheme https. */
export interface SdJwtType {
  readonly vct: string
  /** A name for developers. */
  readonly name?: string
  readonly description?: string
  /** The type that this type extends, and the hash of its metadata. */
  readonly extends?: { readonly vct: string; readonly integrity?: string }
  readonly display?: readonly TypeDisplay[]
  readonly rendering?: TypeRendering
}

/** The display in one language. */
export interface TypeDisplay extends ClaimDisplay {
  readonly description?: string
  readonly logoUrl?: string
  readonly backgroundColor?: string
  readonly textColor?: string
}

/** The rendering in all languages. */
export interface TypeRendering {
  readonly backgroundImageUrl?: string
  readonly svgTemplates?: readonly SvgTemplate[]
}

export interface SvgTemplate {
  readonly url: string
  readonly integrity?: string
  readonly orientation?: 'portrait' | 'landscape'
  readonly colorScheme?: 'light' | 'dark'
  readonly contrast?: 'normal' | 'high'
}

/**
 * Builds the type metadata document of a configuration (draft-ietf-oauth-sd-jwt-vc, section "Type Metadata Format") as the octets to
 * serve. The same input gives the same octets, so that their hash does not change.
 */
export function buildTypeMetadata(type: SdJwtType, tree: ResolvedObject): Buffer {
  const { vct, name, description, display = [], rendering = {} } = type
  const claims = claimMetadata(tree, rendering.svgTemplates !== undefined)
  const document = {
    vct,
    name,
    description,
    extends: type.extends?.vct,
    'extends#integrity': type.extends?.integrity,
    display: display.length > 0 ? display.map((each) => displayIn(each, rendering)) : undefined,
    claims: claims.length > 0 ? claims : undefined,
  }
  // JSON.stringify leaves out undefined members.
  return Buffer.from(JSON.stringify(document))
}

/**
 * Returns the integrity metadata of a document: its SHA-256 in base64 (draft-ietf-oauth-sd-jwt-vc, section "Integrity of Referenced
 * Documents", and W3C Subresource Integrity, section 3). `octets` is the document as served, before content coding.
 */
export function integrityOf(octets: Uint8Array): string {
  return `sha256-${hash('sha256', octets, 'base64')}`
}

/** The draft requires a locale. `und` is the tag of an undetermined language (RFC 5646, section 4.1). */
function displayIn({ locale = 'und', name, description, ...card }: TypeDisplay, rendering: TypeRendering): object {
  const simple = present({
    logo: card.logoUrl !== undefined ? { uri: card.logoUrl } : undefined,
    background_image: rendering.backgroundImageUrl !== undefined ? { uri: rendering.backgroundImageUrl } : undefined,
    background_color: card.backgroundColor,
    text_color: card.textColor,
  })
  const methods = present({ simple, svg_templates: rendering.svgTemplates?.map(templateOf) })
  return { locale, name, description, rendering: methods }
}

function templateOf({ url, integrity, orientation, colorScheme, contrast }: SvgTemplate): object {
  const properties = present({ orientation, color_scheme: colorScheme, contrast })
  return { uri: url, 'uri#integrity': integrity, properties }
}

/** Returns undefined for an object without values. */
function present(members: Record<string, unknown>): Record<string, unknown> | undefined {
  return Object.values(members).some((value) => value !== undefined) ? members : undefined
}
