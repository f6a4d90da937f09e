import { hash } from 'node:crypto'
import type { Problem } from '../../../../shared/errors.ts'
import type { Tenant } from '../../../access/subjects.ts'
import { Answer } from '../../../http/representations/answer.ts'
import type { Headers } from '../../../http/route.ts'
import { type PageName, textOf } from './texts.ts'

/** What a person sees when nobody can be trusted with an answer, or there is none (RFC 6749, section 4.1.2.1). */
export function problemPage(
  problem: Problem,
  { tenant, headers }: { tenant: Tenant | undefined; headers: Headers },
): Answer {
  const { language, text } = textOf(pageOf(problem), headers)
  const { name = 'Trustwright', branding = {} } = { name: tenant?.name, branding: tenant?.settings.branding }
  const style = styleOf(branding)
  const logo = branding.logoUrl ? `<img src="${escapeHtml(branding.logoUrl)}" alt="" width="64" height="64">` : ''
  const body = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(text.title)} – ${escapeHtml(name)}</title>
<style>${style}</style>
</head>
<body>
<main>
${logo}<p class="issuer">${escapeHtml(name)}</p>
<h1>${escapeHtml(text.title)}</h1>
<p>${escapeHtml(text.happened)}</p>
<p class="advice">${escapeHtml(text.advice)}</p>
<p class="code" lang="en">${escapeHtml(problem.message)}</p>
</main>
</body>
</html>
`
  return new Answer(body, { status: problem.status, headers: headersOf(style, branding.logoUrl) })
}

function pageOf({ problem, status }: Problem): PageName {
  if (status >= 500) return 'trouble'
  if (problem === 'too_many_requests') return 'busy'
  if (problem === 'sign_in_expired') return 'expired'
  if (problem === 'sign_in_handed_back') return 'handedBack'
  return problem === 'sign_in_failed' ? 'failed' : 'request'
}

/** Nothing runs, nothing is loaded but the tenant's logo, nobody frames it, and no address is told to the next site. */
function headersOf(style: string, logoUrl: string | undefined): Record<string, string> {
  const styleHash = hash('sha256', style, 'base64')
  const images = logoUrl ? `; img-src ${new URL(logoUrl).origin}` : ''
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'${images}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  return {
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'no-referrer',
    Vary: 'Accept-Language',
  }
}

function styleOf({ backgroundColor = '#f4f5f7', accentColor = '#1f4e79' }: Tenant['settings']['branding']): string {
  return `:root{color-scheme:light}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.25rem;background:${backgroundColor};font:1.0625rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;color:#1b1f24}
main{width:100%;max-width:30rem;padding:1.75rem 1.5rem;background:#fff;border-top:.375rem solid ${accentColor};border-radius:.75rem;box-shadow:0 1px 3px #0002,0 8px 24px #0001}
img{display:block;object-fit:contain;margin-bottom:1rem}
h1{margin:.25rem 0 1rem;font-size:1.5rem;line-height:1.25;overflow-wrap:anywhere}
p{margin:0 0 .75rem}
.issuer{color:#4a525c;font-size:.9375rem}
.advice{font-weight:600}
.code{margin:1.25rem 0 0;padding-top:.75rem;border-top:1px solid #dde1e6;color:#4a525c;font-size:.875rem}`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
