import { ignoredFieldsOf } from '../../../shared/client/ignored-fields.ts'
import { terminalText } from './bulk/terminal-text.ts'

/** Returns a `fetch` that names the members of requests that the service ignored, each list once. A misspelled member is one of them. */
export function withIgnoredNotice(send: typeof fetch, stderr: Pick<NodeJS.WriteStream, 'write'>): typeof fetch {
  const named = new Set<string>()
  return async (input, init) => {
    const response = await send(input, init)
    const fields = ignoredFieldsOf(response).join(', ')
    if (fields === '' || named.has(fields)) return response
    named.add(fields)
    stderr.write(`The service does not know these members, and ignored them: ${terminalText(fields)}\n`)
    return response
  }
}
