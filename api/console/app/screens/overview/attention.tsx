import { Badge, type Mood, Section } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { Loading, ProblemMessage } from '../../kit/states.tsx'
import { Ago } from '../../kit/when.tsx'
import { type Concern, type Severity, useConcerns } from './concerns.ts'
import { overviewTexts } from './texts.ts'
import './overview.css'

const moods: Record<Severity, Mood> = { critical: 'bad', warning: 'warn', notice: 'quiet' }

/** The concerns that need an action, the most urgent first. */
export function Attention() {
  const { concerns, hasMore, isLoading, problems } = useConcerns()
  const isWell = concerns.length === 0 && problems.length === 0
  return (
    <Section title={say(overviewTexts.attention)}>
      <Concerns of={concerns} />
      {hasMore && <p class="soft">{say(overviewTexts.more)}</p>}
      {problems.map(({ key, problem, reload }) => (
        <ProblemMessage key={key} problem={problem} onRetry={() => void reload()} />
      ))}
      {isLoading && <Loading />}
      {isWell && !isLoading && <p class="well">{say(overviewTexts.allWell)}</p>}
    </Section>
  )
}

export function Concerns({ of }: { of: Concern[] }) {
  if (of.length === 0) return null
  return (
    <ul class="concerns">
      {of.map((each) => (
        <ConcernRow key={each.key} of={each} />
      ))}
    </ul>
  )
}

function ConcernRow({ of: { severity, what, at, about, advice, href, link } }: { of: Concern }) {
  return (
    <li>
      <Badge mood={moods[severity]}>{say(overviewTexts[severity])}</Badge>
      <div>
        <p>
          <strong>
            {what} {at && <Ago at={at} />}
          </strong>
        </p>
        {about && <p class="soft">{about}</p>}
        <p>
          {advice} <a href={href}>{link}</a>
        </p>
      </div>
    </li>
  )
}
