import type { ComponentChildren } from 'preact'
import { Badge, type Mood } from '../../kit/bits.tsx'
import { say, type Text } from '../../kit/language.ts'
import { accessTexts } from './texts.ts'

/** What a try has shown. */
export function Tried(props: { works: boolean; message?: string | undefined; children?: ComponentChildren }) {
  const { works, message, children } = props
  return (
    <div class={works ? 'note' : 'trouble'} role="status">
      <p>
        <strong>{say(works ? accessTexts.works : accessTexts.worksNot)}</strong>
      </p>
      {message && <p>{message}</p>}
      {children}
    </div>
  )
}

export interface ProviderCheck {
  check: 'discovery' | 'keys' | 'flow' | 'client' | 'scope' | 'claim'
  result: 'passed' | 'failed' | 'unknown'
  message: string
}

const moods: Record<ProviderCheck['result'], Mood> = { passed: 'good', failed: 'bad', unknown: 'warn' }

/** Each thing that was looked at at a provider, in the service's words. */
export function Checks({ works, checks }: { works: boolean; checks: readonly ProviderCheck[] }) {
  return (
    <Tried works={works}>
      <ul class="checks">
        {checks.map(({ check, result, message }) => (
          <li key={check}>
            <Badge mood={moods[result]}>{say(accessTexts[result])}</Badge> {say(accessTexts[check] as Text)}
            <small class="block">{message}</small>
          </li>
        ))}
      </ul>
    </Tried>
  )
}
