import { type Html, html } from '../../../shared/pages/html.ts'

const format: Intl.DateTimeFormatOptions = {
  ...{ year: 'numeric', month: 'long', day: 'numeric' },
  ...{ hour: 'numeric', minute: '2-digit', timeZone: 'UTC', timeZoneName: 'short' },
}

/** Renders a time in UTC. The script of the offer page replaces it with the time in the reader's time zone. */
export function renderLocalTime(at: Date, language: string): Html {
  return html`<time data-local datetime="${at.toISOString()}">${at.toLocaleString(language, format)}</time>`
}
