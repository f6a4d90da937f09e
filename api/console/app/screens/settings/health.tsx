import { api, ask, type Schemas } from '../../kit/api.ts'
import { Badge, Facts, Section } from '../../kit/bits.tsx'
import { say } from '../../kit/language.ts'
import { hasRole } from '../../kit/session.ts'
import { Shown } from '../../kit/states.tsx'
import { useRead } from '../../kit/use-read.ts'
import { Concerns } from '../overview/attention.tsx'
import { ofJob, readJobs } from '../overview/concerns.ts'
import { issuing, trusting } from '../overview/roles.ts'
import { healthTexts, settingsTexts } from './texts.ts'

type Readiness = Schemas['Readiness']

/** What the service says of itself: what the process that answers needs, and what waits for too long of what this tenant asked for. */
export function Health() {
  const readiness = useRead(readReadiness, [], { everyMs: 10_000 })
  const mayReadWork = hasRole(...issuing, ...trusting)
  return (
    <>
      <Section title={say(settingsTexts.health)}>
        <Shown of={readiness}>{(found) => <Told of={found} />}</Shown>
      </Section>
      {mayReadWork && <Work />}
    </>
  )
}

/** Readiness is told with 503 as well, where something is missing. */
async function readReadiness() {
  let version = ''
  const answered = await ask(
    api.GET('/health/ready').then((got) => {
      version = got.response.headers.get('X-Api-Version') ?? ''
      const { error } = got
      return error && 'checks' in error ? { data: error, response: new Response() } : got
    }),
  )
  return answered.problem ? answered : { data: { ...answered.data, version } }
}

function Told({ of: { status, phase, checks, problems, version } }: { of: Readiness & { version: string } }) {
  const isThere = (check: Readiness['status']) => (
    <Badge mood={check === 'ok' ? 'good' : 'bad'}>
      {say(check === 'ok' ? healthTexts.there : healthTexts.missing)}
    </Badge>
  )
  return (
    <>
      <p>
        <strong>{say(healthTexts[status])}</strong>
      </p>
      <Facts
        of={[
          [healthTexts.database, isThere(checks.database)],
          [healthTexts.redis, isThere(checks.redis)],
          [healthTexts.signing, isThere(checks.signing)],
          [healthTexts.phase, say(healthTexts[phase])],
          [healthTexts.version, version],
        ]}
      />
      {problems.length > 0 && (
        <div class="trouble">
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

function Work() {
  const work = useRead(readJobs, [], { everyMs: 10_000 })
  return (
    <Section title={say(healthTexts.work)}>
      <Shown of={work}>
        {({ data }) =>
          data.length > 0 ? <Concerns of={data.map(ofJob)} /> : <p class="well">{say(healthTexts.noWork)}</p>
        }
      </Shown>
    </Section>
  )
}
