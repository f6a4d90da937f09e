/** Markup: what stands in it as text was escaped. */
export class Html {
  readonly markup: string

  constructor(markup: string) {
    this.markup = markup
  }
}

type Content = Html | string | number | undefined | readonly Content[]

/** Markup with values in it: text is escaped, markup stays, lists follow each other, and nothing is nothing. */
export function html(parts: TemplateStringsArray, ...values: Content[]): Html {
  return new Html(parts.reduce((before, part, at) => before + markupOf(values[at - 1]) + part))
}

function markupOf(content: Content): string {
  if (content === undefined) return ''
  if (content instanceof Html) return content.markup
  if (typeof content === 'object') return content.map(markupOf).join('')
  return String(content).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
