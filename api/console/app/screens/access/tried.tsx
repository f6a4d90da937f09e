import type { ComponentChildren } from 'preact'
import type { Schemas } from '../../kit/api.ts'
import { Badge, type Mood } from '../../kit/elements.tsx'
import { say, type Text } from '../../kit/language.ts'
import { accessTexts } from './texts.ts'

/** The result of a test. */
export function Tried(props: { works: boolean; message?: string | undefined; children?: ComponentChildren }) {
  const { works, message, children } = props
  return (
    <div class={works ? 'note' : 'problem'} role="status">
      <p>
        <strong>{say(works ? accessTexts.works : accessTexts.worksNot)}</strong>
      </p>
      {message && <p>{message}</p>}
      {children}
    </div>
  )
}

interface Check<Name extends string> {
  check: Name
  result: Schemas['CheckResult']
  message: string
}

const moods: Record<Schemas['CheckResult'], Mood> = { passed: 'good', failed: 'bad', unknown: 'warn' }

/** The checks of a test by name, with the result in the words of the service. */
export function Checks<Name extends string>(props: {
  works: boolean
  checks: readonly Check<Name>[]
  names: Record<Name, Text>
}) {
  const { works, checks, names } = props
  return (
    <Tried works={works}>
      <ul class="checks">
        {checks.map(({ check, result, message }) => (
          <li key={check}>
            <Badge mood={moods[result]}>{say(accessTexts[result])}</Badge> {say(names[check])}
            <small class="block">{message}</small>
          </li>
        ))}
      </ul>
    </Tried>
  )
}
