import { expect, test } from 'vitest'
import { colorsOf, readableOn } from '../../shared/pages/colors.ts'
import { html } from '../../shared/pages/html.ts'
import { renderPage } from '../../shared/pages/page.ts'

test('values in markup are escaped, except markup', () => {
  const evil = `"><script>alert('1')&`
  expect(html`<p title="${evil}">${[html`<b>${evil}</b>`, undefined, 1]}</p>`.markup).toBe(
    '<p title="&#34;&#62;&#60;script&#62;alert(&#39;1&#39;)&#38;"><b>&#34;&#62;&#60;script&#62;alert(&#39;1&#39;)&#38;</b>1</p>',
  )
})

test('text is readable on any colour', () => {
  expect(['#000000', '#1f4e79', '#777777', '#abcdef', '#ffff00', '#ffffff'].map(readableOn)).toEqual([
    ...['#ffffff', '#ffffff', '#000000', '#000000', '#000000', '#000000'],
  ])
})

test('only colours are put into the style, and nothing is loaded from other hosts', () => {
  const evil = 'red}body{background:url(https://evil.example)'
  expect(colorsOf({ backgroundColor: evil, accentColor: `#123456${evil}` })).toBe(colorsOf({}))
  const branding = { name: '<b>', logo: '/o/logos/"><script>', accentColor: evil }
  const { body, headers } = renderPage({ language: 'en', title: '<i>', branding, content: html`` })
  expect(body).not.toMatch(/evil|<script|<b>|<i>/)
  expect(headers['Content-Security-Policy']).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  )
})
