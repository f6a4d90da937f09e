import type { PersonRow } from '../../../../db/retention/person-tables.ts'
import { Html, html } from '../../../../shared/pages/html.ts'
import { type RenderedPage, renderPage } from '../../../../shared/pages/page.ts'
import type { ExportWriter, UserExport } from './write-export.ts'

/** A longer text is cut. The JSON has all of it. */
const maxTextLength = 2_000

/** Stands for the sections in the rendered page. */
const sectionsMark = '<!--sections-->'

const style = `body{display:block}
main{max-width:56rem;margin:0 auto}
h2{margin:2rem 0 .75rem;padding-top:1rem;border-top:1px solid var(--line);font-size:1.25rem}
article{margin:0 0 1rem;padding:.75rem 1rem;border:1px solid var(--line);border-radius:.5rem}
dl{margin:0;display:grid;grid-template-columns:minmax(8rem,14rem) 1fr;gap:.25rem 1rem}
dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere}
dd dl{padding-left:.75rem;border-left:2px solid var(--line)}
ul{margin:0;padding-left:1.25rem}
@media (max-width:40rem){dl{grid-template-columns:1fr}dd{margin-bottom:.5rem}}
@media print{:root{--card:#fff;--text:#000;--soft:#333;--page:#fff}body{padding:0;font-size:10pt}main{max-width:none;padding:0;box-shadow:none}main::before{display:none}dt,h2{break-after:avoid}}
`

/** Renders the page without its sections. Its headers allow no script and nothing of other hosts. */
export function renderExportPage({ userId, issuer, tenantName, exportedAt }: UserExport): RenderedPage {
  return renderPage({
    language: 'en',
    title: 'Personal data',
    branding: { name: tenantName },
    style,
    content: html`<h1>Personal data</h1>
<p>This page has all data that ${issuer} stores about the person with the id ${userId}, as of ${timeOf(exportedAt)}. It has no secrets, such as codes and tokens, and no names of other people.</p>
${new Html(sectionsMark)}`,
  })
}

/** Writes an export as a page for people. */
export function htmlWriter(page: RenderedPage): ExportWriter {
  const [start = '', end = ''] = page.body.split(sectionsMark)
  return {
    start: () => start,
    section: ({ name, title }) =>
      html`<section aria-labelledby="${name}">
<h2 id="${name}">${title}</h2>
`.markup,
    row: (row) =>
      html`<article>${listOf(row)}</article>
`.markup,
    sectionEnd: (count) => `${count === 0 ? '<p>Nothing is stored.</p>\n' : ''}</section>\n`,
    end: () => end,
  }
}

function listOf(row: PersonRow): Html {
  const members = Object.entries(row).map(
    ([name, value]) => html`<dt>${labelOf(name)}</dt><dd>${contentOf(value)}</dd>`,
  )
  return html`<dl>${members}</dl>`
}

/** Makes `Issued at` of `issuedAt`, and `Given name` of `given_name`. Other names stay. */
function labelOf(name: string): string {
  if (!/^[a-z][\w]*$/i.test(name)) return name
  const words = name
    .replaceAll('_', ' ')
    .replaceAll(/([a-z])([A-Z])/g, (_all, end, next) => `${end} ${next.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function contentOf(value: unknown): Html | string {
  if (value instanceof Date) return timeOf(value)
  if (Array.isArray(value))
    return value.length === 0 ? 'none' : html`<ul>${value.map((each) => html`<li>${contentOf(each)}</li>`)}</ul>`
  if (typeof value === 'object' && value !== null)
    return Object.keys(value).length === 0 ? 'none' : listOf({ ...value })
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const text = String(value)
  if (text.length <= maxTextLength) return text
  return `${text.slice(0, maxTextLength)}… (${text.length} characters, complete in the JSON)`
}

function timeOf(at: Date): Html {
  const iso = at.toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`
}
