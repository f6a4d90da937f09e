import { hash } from 'node:crypto'
import { colorsOf } from './colors.ts'
import { Html, html } from './html.ts'

/** The parts of a page that its owner can configure. */
export interface PageBranding {
  /** The name of the owner. */
  name: string
  /** The path of the logo on this host. */
  logo?: string | undefined
  /** `#rrggbb`. Any other text is ignored. */
  backgroundColor?: string | undefined
  accentColor?: string | undefined
}

export interface Page {
  /** The language of its texts. */
  language: string
  title: string
  branding: PageBranding
  /** The content below the name. */
  content: Html
  /** More CSS rules. They must not contain external text. */
  style?: string
  /** The path of a script of this service. It can send requests to this host. */
  script?: string
  /** Data attributes of `main`, for the script. */
  data?: Record<string, string>
  /** Whether its forms can lead to other sites through redirects. */
  formsAnywhere?: true
  /** Whether it has forms, which are sent to this host. */
  formsHere?: true
  /** Whether pages of this host can show it in a frame. */
  framedHere?: true
}

export interface RenderedPage {
  body: string
  headers: Record<string, string>
}

/**
 * Renders a page for people. Its headers allow only its own script, and nothing from other hosts. Other hosts cannot frame it. It is not
 * indexed and sends no referrer.
 */
export function renderPage(page: Page): RenderedPage {
  const { language, title, branding, content, script, data = {}, style = '' } = page
  const rules = `${colorsOf(branding)}\n${commonRules}${style}`
  const { markup } = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} &ndash; ${branding.name}</title>
<link rel="icon" href="data:,">
<style>${new Html(rules)}</style>
${script && html`<script src="${script}" defer></script>\n`}</head>
<body>
<main${Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`)}>
${logoOrInitials(branding)}<p class="issuer">${branding.name}</p>
${content}
</main>
</body>
</html>
`
  return { body: markup, headers: headersOf(page, rules) }
}

function logoOrInitials({ logo, name }: PageBranding): Html | undefined {
  if (logo !== undefined) return html`<img src="${logo}" alt="" width="64" height="64">`
  const initials = initialsOf(name)
  return initials ? html`<p class="initials" aria-hidden="true">${initials}</p>\n` : undefined
}

/** Returns the first letters of the first two words of a name, without small words such as “of”: “HU” for “Harbour University”. */
function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? []
  const large = words.filter((word) => !/^\p{Ll}/u.test(word))
  return (large.length > 0 ? large : words)
    .slice(0, 2)
    .map((word) => String.fromCodePoint(word.codePointAt(0) ?? 0).toUpperCase())
    .join('')
}

function headersOf({ script, formsAnywhere, formsHere, framedHere }: Page, style: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
    // The empty icon is a data URL. It prevents a request for an icon.
    "img-src 'self' data:",
    ...(script ? ["script-src 'self'", "connect-src 'self'"] : []),
    "base-uri 'none'",
    ...(formsAnywhere ? [] : [`form-action ${formsHere ? "'self'" : "'none'"}`]),
    `frame-ancestors ${framedHere ? "'self'" : "'none'"}`,
  ]
  return {
    'Content-Security-Policy': policy.join('; '),
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex, nofollow, noarchive',
    Vary: 'Accept-Language',
  }
}

const commonRules = `*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:1rem;background:var(--page);font:1.0625rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;color:var(--text)}
main{position:relative;width:100%;max-width:30rem;padding:2rem 1.5rem 1.5rem;overflow:hidden;background:var(--card);border-radius:.875rem;box-shadow:0 1px 3px #0003,0 8px 24px #0000001a}
main::before{content:"";position:absolute;inset:0 0 auto;height:.375rem;background:var(--accent)}
img{display:block;object-fit:contain;margin-bottom:1rem}
.initials{display:grid;place-items:center;width:4rem;height:4rem;margin:0 0 1rem;border-radius:.875rem;background:var(--accent);color:var(--on-accent);font-size:1.5rem;font-weight:600;letter-spacing:.02em}
h1{margin:.25rem 0 1rem;font-size:1.5rem;line-height:1.25;overflow-wrap:anywhere}
p{margin:0 0 .75rem;overflow-wrap:anywhere}
.issuer{color:var(--soft);font-size:.9375rem}
.advice{font-weight:600}
.action{display:block;width:100%;margin:1.25rem 0 0;padding:.75rem 1rem;border:1px solid var(--edge);border-radius:.625rem;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
.action.second{background:transparent;color:var(--text);border-color:var(--line)}
.action+.action,form+form .action{margin-top:.75rem}
.action:hover{filter:brightness(1.08)}
:focus-visible{outline:3px solid var(--text);outline-offset:2px}
.help{margin:1.5rem 0 0;padding-top:1rem;border-top:1px solid var(--line);color:var(--soft);font-size:.875rem}
.help code{display:block;font:.75rem/1.7 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;color:var(--text);user-select:all;overflow-wrap:anywhere}
.help p{margin:.5rem 0 0}
`
