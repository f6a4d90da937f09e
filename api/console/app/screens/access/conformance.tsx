import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Badge, type Mood, Section } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { Shown } from '../../kit/states.tsx'
import { useRead } from '../../kit/use-read.ts'
import { conformanceTexts, requirementTexts, stateTexts } from './conformance-texts.ts'

/** The requirements of HAIP 1.0, whether the tenant meets them, what was looked at, and what to change or to test. */
export function Conformance() {
  const conformance = useRead(() => callApi(api.GET('/v1/openid/configuration/conformance')), [])
  return (
    <Section title={say(conformanceTexts.title)}>
      <p class="soft">{say(conformanceTexts.about)}</p>
      <Shown of={conformance}>
        {({ conforms, requirements }) => (
          <div class={conforms ? 'note' : 'problem'} role="status">
            <p>
              <strong>{say(conforms ? conformanceTexts.conforms : conformanceTexts.conformsNot)}</strong>
            </p>
            <ul class="checks">
              {requirements.map((each) => (
                <Requirement key={each.name} of={each} />
              ))}
            </ul>
          </div>
        )}
      </Shown>
    </Section>
  )
}

type State = Schemas['ConformanceRequirement']['state']

const moods = { met: 'good', notMet: 'bad', notApplicable: 'quiet', toBeTested: 'warn' } as const satisfies Record<
  State,
  Mood
>

function Requirement({
  of: { name, clause, level, state, lookedAt, change, test },
}: {
  of: Schemas['ConformanceRequirement']
}) {
  const what = change ?? test
  return (
    <li>
      <Badge mood={moods[state]}>{say(stateTexts[state])}</Badge> {say(requirementTexts[name])}
      {level === 'should' && ` (${say(conformanceTexts.recommended)})`}
      <small class="block">{clause}</small>
      <small class="block">{say(conformanceTexts.lookedAt, { what: lookedAt })}</small>
      {what && <small class="block">{what}</small>}
    </li>
  )
}
