import { Badge, Verbatim } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import type { Exchange } from './exchange.ts'
import { walletTexts } from './texts.ts'

/** The HTTP messages of the wallet, in their order. */
export function Exchanges({ of }: { of: readonly Exchange[] }) {
  return (
    <section>
      <h2>{say(walletTexts.messages)}</h2>
      <ol class="exchanges">
        {of.map((exchange, index) => (
          // Messages are only appended, so the index of a message is stable.
          <li key={index}>
            <details>
              <summary>
                <Badge mood={exchange.status < 400 ? 'good' : 'bad'}>{exchange.status}</Badge>{' '}
                <code>
                  {exchange.method} {new URL(exchange.url).pathname}
                </code>
              </summary>
              <Verbatim text={requestText(exchange)} label={exchange.method} />
              <Verbatim text={indented(exchange.response)} label={String(exchange.status)} />
            </details>
          </li>
        ))}
      </ol>
    </section>
  )
}

function requestText({ method, url, headers, body }: Exchange): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${url}`, ...lines, ...(body ? ['', indented(body)] : [])].join('\n')
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}
