import { useRef, useState } from 'preact/hooks'
import { type Answered, api, callApi, type Schemas } from '../../kit/api.ts'
import { Section } from '../../kit/elements.tsx'
import { say, type Text } from '../../kit/language.ts'
import { hasRole, session } from '../../kit/session.ts'
import { to } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { readCounts } from './counts.tsx'
import { stepTexts } from './texts.ts'

const readAgainMs = 4_000

type Counts = NonNullable<Awaited<ReturnType<typeof readCounts>>['data']>

/** The settings, or null for users who may not read them. */
type Settings = Schemas['OwnSettings'] | null

interface Step {
  name: Text
  advice: Text
  isDone: boolean
  href: string
  link: Text
}

/**
 * The first steps of a tenant, shown until all are done or the user hides them. Completed steps are checked. The state is polled until
 * a wallet has a credential of the tenant.
 */
export function FirstSteps() {
  const storageKey = `console-steps-${session.value?.tenantId}`
  const [isHidden, setHidden] = useState(localStorage.getItem(storageKey) === 'hidden')
  const hide = () => {
    localStorage.setItem(storageKey, 'hidden')
    setHidden(true)
  }
  return isHidden ? null : <Shown onHide={hide} />
}

function Shown({ onHide }: { onHide: () => void }) {
  const isOver = useRef(false)
  const everyMs = isOver.current ? undefined : readAgainMs
  const counts = useRead(readCounts, [], { everyMs })
  const offers = useRead(() => callApi(api.GET('/v1/openid/offers', { params: { query: { limit: 1 } } })), [], {
    everyMs,
  })
  const settings = useRead(readSettings, [])
  const hasBegun = useRef(false)
  if (!counts.data || !offers.data || settings.data === undefined) return null
  const steps = stepsOf(counts.data, offers.data.data[0]?.id, settings.data)
  isOver.current = (counts.data.credentials?.count ?? 0) > 0
  const isDone = steps.every((step) => step.isDone)
  // A user who sees the last step completed gets a confirmation. Later the overview hides the steps.
  if (isDone && !hasBegun.current) return null
  hasBegun.current = true
  const hide = (
    <button type="button" onClick={onHide}>
      {say(stepTexts.hide)}
    </button>
  )
  return (
    <Section title={say(stepTexts.title)} actions={hide}>
      <p>{say(isDone ? stepTexts.done : stepTexts.advice)}</p>
      <Steps steps={steps} />
    </Section>
  )
}

async function readSettings(): Promise<Answered<Settings>> {
  return hasRole('admin') ? callApi(api.GET('/v1/settings')) : { data: null }
}

function stepsOf(counts: Counts, offerId: string | undefined, settings: Settings): Step[] {
  const { credentials, configurations, webhooks } = counts
  const steps: Step[] = [
    {
      ...{ name: stepTexts.configuration, advice: stepTexts.configurationAdvice },
      isDone: (configurations?.count ?? 0) > 0,
      ...{ href: to('/configurations/new'), link: stepTexts.newConfiguration },
    },
    {
      ...{ name: stepTexts.offer, advice: stepTexts.offerAdvice, isDone: offerId !== undefined },
      ...{ href: to('/offers/new'), link: stepTexts.newOffer },
    },
    {
      ...{ name: stepTexts.scan, advice: stepTexts.scanAdvice, isDone: (credentials?.count ?? 0) > 0 },
      ...{ href: to(offerId ? `/offers/${offerId}` : '/offers'), link: stepTexts.openOffer },
    },
    {
      ...{ name: stepTexts.webhook, advice: stepTexts.webhookAdvice, isDone: (webhooks?.count ?? 0) > 0 },
      ...{ href: to('/webhooks/new'), link: stepTexts.newWebhook },
    },
  ]
  if (!settings) return steps
  const isDone = Object.keys(settings.branding).length > 0
  const branding = { name: stepTexts.branding, advice: stepTexts.brandingAdvice, isDone }
  return [...steps, { ...branding, href: to('/settings'), link: stepTexts.setBranding }]
}

/** Each open step has a link. The first open step is the next one. */
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
          {!isDone && (
            <a class={index === next ? 'button primary' : 'button'} href={href}>
              {say(link)}
            </a>
          )}
        </li>
      ))}
    </ol>
  )
}
