import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { type Answered, api, callApi, type Schemas } from '../../kit/api.ts'
import { Section } from '../../kit/elements.tsx'
import { say, type Text } from '../../kit/language.ts'
import { RootButton } from '../../kit/root-button.tsx'
import { can, type Operation, session } from '../../kit/session.ts'
import { readSigningRoots } from '../../kit/signing-roots.ts'
import { to } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { readCounts } from './counts.tsx'
import { stepTexts } from './texts.ts'

const readAgainMs = 4_000

type Counts = NonNullable<Awaited<ReturnType<typeof readCounts>>['data']>

/** The settings, or null for users who may not read them. */
type Settings = Schemas['OwnSettings'] | null

/** The operations of the steps. Users who lack one of them do not see the steps. */
export const ofFirstSteps: readonly Operation[] = [
  ...(['retrieveCounts', 'retrieveOffers', 'retrieveSigningRoots', 'createIaca'] as const),
  ...(['createCompactConfiguration', 'createPreAuthorizedOffer', 'createWebhook'] as const),
]

interface Step {
  name: Text
  advice: Text
  isDone: boolean
  /** Renders the link or button that begins the step. */
  begin: (isNext: boolean) => ComponentChildren
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
  const roots = useRead(() => readSigningRoots(), [], { everyMs })
  const hasBegun = useRef(false)
  if (!counts.data || !offers.data || !roots.data || settings.data === undefined) return null
  const hasRoot = roots.data.data.some(({ iacaId }) => iacaId !== undefined)
  const first = rootStep(hasRoot, () => void roots.reload())
  const steps = [first, ...stepsOf(counts.data, offers.data.data[0]?.id, settings.data)]
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
  return can('updateSettings') ? callApi(api.GET('/v1/settings')) : { data: null }
}

function rootStep(isDone: boolean, onDone: () => void): Step {
  const begin = (isNext: boolean) => <RootButton isPrimary={isNext} onDone={onDone} />
  return { name: stepTexts.root, advice: stepTexts.rootAdvice, isDone, begin }
}

function linkTo(href: string, text: Text): Step['begin'] {
  return (isNext) => (
    <a class={isNext ? 'button primary' : 'button'} href={href}>
      {say(text)}
    </a>
  )
}

function stepsOf(counts: Counts, offerId: string | undefined, settings: Settings): Step[] {
  const { credentials, configurations, webhooks } = counts
  const steps: Step[] = [
    {
      ...{ name: stepTexts.configuration, advice: stepTexts.configurationAdvice },
      isDone: (configurations?.count ?? 0) > 0,
      begin: linkTo(to('/configurations/new'), stepTexts.newConfiguration),
    },
    {
      ...{ name: stepTexts.offer, advice: stepTexts.offerAdvice, isDone: offerId !== undefined },
      begin: linkTo(to('/offers/new'), stepTexts.newOffer),
    },
    {
      ...{ name: stepTexts.scan, advice: stepTexts.scanAdvice, isDone: (credentials?.count ?? 0) > 0 },
      begin: linkTo(to(offerId ? `/offers/${offerId}` : '/offers'), stepTexts.openOffer),
    },
    {
      ...{ name: stepTexts.webhook, advice: stepTexts.webhookAdvice, isDone: (webhooks?.count ?? 0) > 0 },
      begin: linkTo(to('/webhooks/new'), stepTexts.newWebhook),
    },
  ]
  if (!settings) return steps
  const isDone = Object.keys(settings.branding).length > 0
  const branding = { name: stepTexts.branding, advice: stepTexts.brandingAdvice, isDone }
  return [...steps, { ...branding, begin: linkTo(to('/settings'), stepTexts.setBranding) }]
}

/** Each open step has a link or a button. The first open step is the next one. */
function Steps({ steps }: { steps: Step[] }) {
  const next = steps.findIndex(({ isDone }) => !isDone)
  return (
    <ol class="steps">
      {steps.map(({ name, advice, isDone, begin }, index) => (
        <li key={index} class={isDone ? 'done' : index === next ? 'next' : ''}>
          <h3>
            {say(name)}
            {isDone && <span class="unseen"> ({say(stepTexts.isDone)})</span>}
          </h3>
          <p class="soft">{say(advice)}</p>
          {!isDone && begin(index === next)}
        </li>
      ))}
    </ol>
  )
}
