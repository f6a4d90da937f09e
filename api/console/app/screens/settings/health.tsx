import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Badge, Facts, Section } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { Shown } from '../../kit/states.tsx'
import { useRead } from '../../kit/use-read.ts'
import { healthTexts, settingsTexts } from './texts.ts'

type Readiness = Schemas['Readiness']

/** The readiness of the process that responds, and of its dependencies. `more` adds the state of other parts. */
export function Health({ more = [] }: { more?: Parameters<typeof Facts>[0]['of'] }) {
  const readiness = useRead(readReadiness, [], { everyMs: 10_000 })
  return (
    <Section title={say(settingsTexts.health)}>
      <Shown of={readiness}>{(current) => <ReadinessFacts of={current} more={more} />}</Shown>
    </Section>
  )
}

/** Reads the readiness. Status 503 has the same body as 200. */
async function readReadiness() {
  let version = ''
  const answered = await callApi(
    api.GET('/health/ready').then((got) => {
      version = got.response.headers.get('X-Api-Version') ?? ''
      const { error } = got
      return error && 'checks' in error ? { data: error, response: new Response() } : got
    }),
  )
  return answered.problem ? answered : { data: { ...answered.data, version } }
}

function ReadinessFacts(props: { of: Readiness & { version: string }; more: Parameters<typeof Facts>[0]['of'] }) {
  const { status, phase, checks, queue, problems, version } = props.of
  const badgeOf = (check: Readiness['status']) => (
    <Badge mood={check === 'ok' ? 'good' : 'bad'}>
      {say(check === 'ok' ? healthTexts.reachable : healthTexts.unreachable)}
    </Badge>
  )
  return (
    <>
      <p>
        <strong>{say(healthTexts[status])}</strong>
      </p>
      <Facts
        of={[
          [healthTexts.database, badgeOf(checks.database)],
          ...(queue === 'redis' ? [[healthTexts.redis, badgeOf(checks.redis)] as const] : []),
          [healthTexts.signing, badgeOf(checks.signing)],
          ...props.more,
          [healthTexts.phase, say(healthTexts[phase])],
          [healthTexts.version, version],
        ]}
      />
      {problems.length > 0 && (
        <div class="problem">
          <p>{say(healthTexts.problems)}</p>
          <ul>
            {problems.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}
