import { posix } from 'node:path'
import { Marked, type Tokens } from 'marked'
import { Html, html } from '../../../shared/pages/html.ts'

/** The guide that lists all guides. Its address is `/docs/guide`. */
export const indexName = 'README'

interface Place {
  /** The name of the guide, which relative links start from. */
  name: string
  /** The guides that this service shows. */
  names: readonly string[]
}

/** Renders a guide. Markup in its text is shown as text. Links to files that this service does not show become text. */
export function renderGuide(text: string, place: Place): { title: string; content: Html } {
  const anchors = new Map<string, number>()
  const marked = new Marked({
    renderer: {
      html: ({ text: markup }) => html`${markup}`.markup,
      heading({ tokens, depth, text: heading }) {
        const id = anchorOf(heading, anchors)
        return `<h${depth} id="${html`${id}`.markup}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const label = this.parser.parseInline(tokens)
        const address = addressOf(href, place)
        return address === undefined ? label : html`<a href="${address}">${new Html(label)}</a>`.markup
      },
      image: ({ text: alternative }) => html`${alternative}`.markup,
      // A person scrolls wide content by keys too.
      code: ({ text: code }) => html`<pre tabindex="0"><code>${code}</code></pre>\n`.markup,
      table(token) {
        const cells = (row: Tokens.TableCell[], name: 'th' | 'td') =>
          `<tr>${row.map(({ tokens }) => `<${name}>${this.parser.parseInline(tokens)}</${name}>`).join('')}</tr>`
        const rows = token.rows.map((row) => cells(row, 'td')).join('\n')
        return `<div class="table" tabindex="0"><table><thead>${cells(token.header, 'th')}</thead>\n<tbody>${rows}</tbody></table></div>\n`
      },
    },
  })
  const title = /^# (.+)$/m.exec(text)?.[1] ?? place.name
  return { title, content: new Html(marked.parse(text, { async: false })) }
}

/** Makes the anchor of a heading as GitHub does. */
function anchorOf(heading: string, anchors: Map<string, number>): string {
  const base = heading
    .toLowerCase()
    .replace(/[^\p{L}\d\-_ ]/gu, '')
    .replaceAll(' ', '-')
  const count = anchors.get(base) ?? 0
  anchors.set(base, count + 1)
  return count === 0 ? base : `${base}-${count}`
}

/** Returns the address of a link on the page. Returns undefined if the service does not show its target. */
function addressOf(href: string, { name, names }: Place): string | undefined {
  if (/^https?:/.test(href) || href.startsWith('#')) return href
  const [path = '', anchor] = href.split('#', 2)
  const target = posix.join(posix.dirname(name), path)
  const guide = target.replace(/\.md$/, '')
  const fragment = anchor === undefined ? '' : `#${anchor}`
  if (guide === indexName) return `/docs/guide${fragment}`
  if (target === 'decisions' || target === 'decisions/') return '/docs/guide#decisions'
  return names.includes(guide) ? `/docs/guide/${guide}${fragment}` : undefined
}
