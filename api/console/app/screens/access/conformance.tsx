import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Badge, Section } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { Shown } from '../../kit/states.tsx'
import { useRead } from '../../kit/use-read.ts'
import { conformanceTexts, requirementTexts } from './conformance-texts.ts'

/** The requirements of HAIP 1.0, whether the tenant meets them, and what to change. */
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

function Requirement({ of: { name, clause, isMet, change } }: { of: Schemas['ConformanceRequirement'] }) {
  return (
    <li>
      <Badge mood={isMet ? 'good' : 'bad'}>{say(isMet ? conformanceTexts.met : conformanceTexts.unmet)}</Badge>{' '}
      {say(requirementTexts[name])}
      <small class="block">{clause}</small>
      {change && <small class="block">{change}</small>}
    </li>
  )
}
