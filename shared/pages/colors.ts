interface Colors {
  backgroundColor?: string | undefined
  accentColor?: string | undefined
}

/** Returns the CSS variables of a page's colours for the light and the dark scheme. Only colours of the form `#rrggbb` are used. */
export function colorsOf({ backgroundColor, accentColor }: Colors): string {
  const page = colorOf(backgroundColor)
  const accent = colorOf(accentColor)
  const light = { page: page ?? '#f4f5f7', accent: accent ?? '#1f4e79' }
  // In the dark scheme, the background colour is mixed with a dark colour, so that it is not too bright.
  const dark = { page: page ? `color-mix(in srgb,${page} 18%,#0d1115)` : '#0d1115', accent: accent ?? '#8ab8e6' }
  return `:root{color-scheme:light dark;--card:#fff;--text:#1b1f24;--soft:#4a525c;--line:#d5dae0;${variables(light)}}
@media (prefers-color-scheme:dark){:root{--card:#1a2027;--text:#e9edf1;--soft:#adb7c1;--line:#3a444f;${variables(dark)}}}`
}

function variables({ page, accent }: { page: string; accent: string }): string {
  return `--page:${page};--accent:${accent};--on-accent:${readableOn(accent)};--edge:color-mix(in srgb,${accent} 70%,var(--line))`
}

export function colorOf(text: string | undefined): string | undefined {
  return text !== undefined && /^#[0-9a-fA-F]{6}$/.test(text) ? text : undefined
}

/** Returns black or white, whichever has more contrast to a colour. One of them always has at least 4.5 (WCAG 2.2, 1.4.3). */
export function readableOn(color: string): '#ffffff' | '#000000' {
  return contrastOf('#000000', color) > contrastOf('#ffffff', color) ? '#000000' : '#ffffff'
}

/** Returns the contrast ratio, from 1 to 21 (WCAG 2.2). */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((left, right) => left - right)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Returns the relative luminance (WCAG 2.2). */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(color.slice(at, at + 2), 16) / 255),
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
}
