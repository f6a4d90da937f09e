import { type Html, html } from '../../../shared/pages/html.ts'

/** Renders the page of a guide, with links to the console, the reference and the other guides. It has no script. */
export function guidePage(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title.replaceAll('`', '')} &ndash; Trustwright</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/guide.css">
</head>
<body>
<header><nav aria-label="Trustwright"><a href="/console/">Console</a><a href="/docs">API reference</a><a href="/docs/guide">Guides</a></nav></header>
<main>
${content}</main>
</body>
</html>
`.markup
}

/** Allows the style sheet of the service only. */
export const guidePolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
