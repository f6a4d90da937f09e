import { useRef } from 'preact/hooks'
import { api, callApi } from '../../kit/api.ts'
import { Section } from '../../kit/elements.tsx'
import { say, type Text } from '../../kit/language.ts'
import { to } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { readCounts } from './counts.tsx'
import { stepTexts } from './texts.ts'

const readAgainMs = 4_000

interface Step {
  name: Text
  advice: Text
  isDone: boolean
  href: string
  link: Text
}

/**
 * The steps to a first credential on the user's phone, shown until a wallet has a credential of the tenant. Completed steps are
 * checked, and the state is polled.
 */
export function FirstSteps() {
  const isOver = useRef(false)
  const everyMs = isOver.current ? undefined : readAgainMs
  const counts = useRead(readCounts, [], { everyMs })
  const offers = useRead(() => callApi(api.GET('/v1/openid/offers', { params: { query: { limit: 1 } } })), [], {
    everyMs,
  })
  const hasBegun = useRef(false)
  if (!counts.data || !offers.data) return null
  const { credentials, configurations } = counts.data
  const [offer] = offers.data.data
  const isCollected = (credentials?.count ?? 0) > 0
  isOver.current = isCollected
  // A user who sees the last step completed gets a confirmation. Later the overview hides the steps.
  if (isCollected && !hasBegun.current) return null
  hasBegun.current = true
  const steps: Step[] = [
    {
      ...{ name: stepTexts.configuration, advice: stepTexts.configurationAdvice },
      isDone: (configurations?.count ?? 0) > 0,
      ...{ href: to('/configurations/new'), link: stepTexts.newConfiguration },
    },
    {
      ...{ name: stepTexts.offer, advice: stepTexts.offerAdvice, isDone: offer !== undefined },
      ...{ href: to('/offers/new'), link: stepTexts.newOffer },
    },
    {
      ...{ name: stepTexts.scan, advice: stepTexts.scanAdvice, isDone: isCollected },
      ...{ href: to(offer ? `/offers/${offer.id}` : '/offers'), link: stepTexts.openOffer },
    },
  ]
  return (
    <Section title={say(stepTexts.title)}>
      <p>{say(isCollected ? stepTexts.done : stepTexts.advice)}</p>
      <Steps steps={steps} />
    </Section>
  )
}

/** The first open step is the next one. */
function Steps({ steps }: { steps: Step[] }) {
  const next = steps.findIndex(({ isDone }) => !isDone)
  return (
    <ol class="steps">
      {steps.map(({ name, advice, isDone, href, link }, index) => (
        <li key={href} class={isDone ? 'done' : index === next ? 'next' : ''}>
          <h3>
            {say(name)}
            {isDone && <span class="unseen"> ({say(stepTexts.isDone)})</span>}
          </h3>
          <p class="soft">{say(advice)}</p>
          {index === next && (
            <a class="button primary" href={href}>
              {say(link)}
            </a>
          )}
        </li>
      ))}
    </ol>
  )
}
