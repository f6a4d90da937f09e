import type { Middleware } from 'openapi-fetch'
import { isJsonObject } from '../../../shared/formats/json-object.ts'
import { terminalText } from './bulk/terminal-text.ts'

/**
 * Returns a middleware that prints the `warnings` of answers to standard error, each one once. It is no `fetch`, because only a middleware
 * knows which answers are read as streams.
 */
export function warningsNotice(stderr: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>): Middleware {
  const printed = new Set<string>()
  return {
    async onResponse({ response, options }) {
      const isJson = response.headers.get('Content-Type')?.startsWith('application/json') === true
      if (!response.ok || !isJson || options.parseAs === 'stream') return
      for (const warning of warningsOf(await response.clone().text())) {
        if (printed.has(warning)) continue
        printed.add(warning)
        // Replaces the progress bar of a terminal (ECMA-48, EL).
        stderr.write(`${stderr.isTTY ? '\r\u001b[2K' : ''}Warning: ${terminalText(warning)}\n`)
      }
    },
  }
}

function warningsOf(content: string): string[] {
  if (!content.includes('"warnings"')) return []
  const body: unknown = JSON.parse(content)
  const warnings = isJsonObject(body) ? body.warnings : undefined
  return Array.isArray(warnings) ? warnings.flatMap(textsOfWarning) : []
}

/** Returns the text of a warning about a request, a claim, or the values of a column. */
function textsOfWarning(warning: unknown): string[] {
  if (typeof warning === 'string') return [warning]
  if (!isJsonObject(warning) || typeof warning.message !== 'string') return []
  const { claim, column, message, firstRow } = warning
  const subject = [claim ?? column].flatMap((each) => (typeof each === 'string' ? [`${each}: `] : []))
  const place = typeof firstRow === 'number' ? ` (first in row ${firstRow})` : ''
  return [`${subject}${message}${place}`]
}
