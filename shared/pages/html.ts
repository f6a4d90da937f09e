/** Markup whose text is escaped. */
export class Html {
  readonly markup: string

  constructor(markup: string) {
    this.markup = markup
  }
}

type Content = Html | string | number | undefined | readonly Content[]

/** Builds markup from a template. Escapes text values, inserts markup unchanged, joins lists, and leaves out undefined values. */
export function html(parts: TemplateStringsArray, ...values: Content[]): Html {
  return new Html(parts.reduce((before, part, at) => before + markupOf(values[at - 1]) + part))
}

/** Escapes a text and replaces its placeholders `{name}` with markup. A placeholder without a value stays. */
export function fillHtml(text: string, values: Readonly<Record<string, Html>>): Html {
  return html`${text.split(/(\{\w+\})/).map((part) => values[part.slice(1, -1)] ?? part)}`
}

function markupOf(content: Content): string {
  if (content === undefined) return ''
  if (content instanceof Html) return content.markup
  if (typeof content === 'object') return content.map(markupOf).join('')
  return String(content).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
