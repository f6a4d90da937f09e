import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import { colorOf, contrastOf, readableOn } from '../../../shared/pages/colors.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import type { Headers } from '../../http/route.ts'
import { findRecentConfiguration } from '../configurations/recent.ts'
import { describe } from '../metadata/profile-metadata.ts'
import { forReader } from '../pages/for-reader.ts'
import { logoAddressOf } from '../pages/logos.ts'

/** One credential of an offer, as its configuration is displayed. */
export interface Card {
  name: string
  /** The language of the name, if known. */
  locale: string | undefined
  description: string | undefined
  /** The path at which this host serves the logo. */
  logo: string | undefined
  /** `#rrggbb`. The text color is readable on the background. */
  colors: { background: string; text: string } | undefined
}

/**
 * Returns the cards of configurations. Omits deleted configurations and those without a name, because an id
 * means nothing to a person.
 */
export async function cardsOf(deps: Deps, tenant: Tenant, headers: Headers, ids: string[]): Promise<Card[]> {
  const rows = await Promise.all(ids.map((id) => findRecentConfiguration(deps, tenant.id, id)))
  return rows.flatMap((row) => {
    const card = row && cardOf(deps, tenant, row, headers)
    return card && card.name !== row.id ? [card] : []
  })
}

function cardOf(deps: Deps, tenant: Tenant, row: ConfigurationRow, headers: Headers): Card {
  const own = row.settings.display && forReader(row.settings.display, headers)
  if (own) {
    const { name, locale, description, logoUrl, backgroundColor, textColor } = own
    const logo = logoUrl && logoAddressOf(deps, tenant, logoUrl)
    return { name, locale, description, logo, colors: colorsOf(backgroundColor, textColor) }
  }
  const { name, description, logo, background_color: background } = describe(row).display
  const logoUrl = typeof logo === 'object' && logo && 'uri' in logo ? textOf(logo.uri) : undefined
  return {
    name: textOf(name) ?? '',
    locale: undefined,
    description: textOf(description),
    logo: logoUrl && logoAddressOf(deps, tenant, logoUrl),
    colors: colorsOf(textOf(background), undefined),
  }
}

function colorsOf(background: string | undefined, text: string | undefined): Card['colors'] {
  const behind = colorOf(background)
  if (behind === undefined) return undefined
  const chosenColor = colorOf(text)
  // WCAG 2.2, 1.4.3.
  const isReadable = chosenColor !== undefined && contrastOf(chosenColor, behind) >= 4.5
  return { background: behind, text: isReadable ? chosenColor : readableOn(behind) }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
