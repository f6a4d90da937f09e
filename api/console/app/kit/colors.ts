/** Returns the text if it is `#rrggbb`, else undefined. Other values must not reach a style. */
export function colorOf(text: string | undefined): string | undefined {
  return text !== undefined && /^#[0-9a-fA-F]{6}$/.test(text) ? text : undefined
}

/** Returns black or white, whichever has more contrast to the colour. */
export function readableOn(color: string): string {
  return contrastOf('#000000', color) > contrastOf('#ffffff', color) ? '#000000' : '#ffffff'
}

/** Returns the contrast ratio of WCAG 2.2, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((left, right) => left - right)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
