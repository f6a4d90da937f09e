import { useEffect, useRef } from 'preact/hooks'
import type { Schemas } from '../../kit/api.ts'
import { Id } from '../../kit/copy.tsx'
import { Badge } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { Empty } from '../../kit/states.tsx'
import { to } from '../../kit/url-state.ts'
import { When } from '../../kit/when.tsx'
import { checkText } from './check-texts.ts'
import { stepName } from './step-names.ts'
import { offerTexts } from './texts.ts'

type Step = Schemas['OfferTimeline']['data'][number]

/**
 * The timeline of an offer: a block for each request with a row for each check. The failed check is open. The failed step of the
 * chosen request gets the focus.
 */
export function Timeline({ steps, chosen }: { steps: readonly Step[]; chosen?: string | undefined }) {
  if (steps.length === 0) return <Empty>{say(offerTexts.nothingYet)}</Empty>
  const chosenStep = steps.find(({ requestId, outcome }) => requestId === chosen && outcome === 'failure')
  return (
    <ol class="timeline">
      {blocksOf(steps).map((block, index) => (
        // Steps are only appended, so the index of a block is stable.
        <li key={index}>
          {block.map((step) => (
            <StepRow key={step.step} step={step} isChosen={chosen !== undefined && step === chosenStep} />
          ))}
          <RequestOf block={block} />
        </li>
      ))}
    </ol>
  )
}

/** Groups the steps by request. */
function blocksOf(steps: readonly Step[]): Step[][] {
  const blocks: Step[][] = []
  for (const step of steps) {
    const own = step.requestId && blocks.find(([first]) => first?.requestId === step.requestId)
    if (own) own.push(step)
    else blocks.push([step])
  }
  return blocks
}

function RequestOf({ block }: { block: Step[] }) {
  const { requestId, sessionId, webhookId, webhookHost } = block[0] ?? {}
  if (!requestId && !webhookId) return null
  return (
    <p class="soft from">
      {requestId && (
        <>
          {say(offerTexts.request)} <Id value={requestId} href={to('/events', { requestId })} />
        </>
      )}
      {sessionId && (
        <>
          {say(offerTexts.session)} <Id value={sessionId} />
        </>
      )}
      {webhookId && <a href={to(`/webhooks/${webhookId}`)}>{webhookHost ?? webhookId}</a>}
    </p>
  )
}

function StepRow({ step, isChosen }: { step: Step; isChosen: boolean }) {
  const { at, outcome, reason, passed = [], refusedBy } = step
  const isGood = outcome === 'success'
  const own = useRef<HTMLElement>(null)
  // The focus also scrolls. A later reading of the timeline does not move it again.
  useEffect(() => {
    if (isChosen) own.current?.focus()
  }, [isChosen])
  return (
    <section ref={own} class={`step ${outcome}`} {...(isChosen && { tabIndex: -1, 'aria-current': 'step' })}>
      <header>
        <h3>{stepName(step.step)}</h3>
        <Badge mood={isGood ? 'good' : 'bad'}>{say(isGood ? offerTexts.wentWell : offerTexts.wasRefused)}</Badge>
        <When at={at} />
      </header>
      {isGood && reason && <p>{reason}</p>}
      {passed.length > 0 && <Passed checks={passed} />}
      {refusedBy && <Refusal check={refusedBy.check} clause={refusedBy.clause} reason={reason} />}
      {!isGood && !refusedBy && reason && <p class="problem">{reason}</p>}
    </section>
  )
}

type Check = Schemas['OfferCheck']

function Passed({ checks }: { checks: readonly Check[] }) {
  return (
    <details class="passed">
      <summary>{say(offerTexts.passed, { count: checks.length })}</summary>
      <ul>
        {checks.map((check) => (
          <li key={check}>{say(checkText(check).name)}</li>
        ))}
      </ul>
    </details>
  )
}

function Refusal({ check, clause, reason }: { check: Check; clause: string; reason: string | undefined }) {
  const { failed, advice } = checkText(check)
  return (
    <details class="refusal" open data-check={check}>
      <summary>
        <strong>{say(failed)}</strong> <span class="clause">{clause}</span>
      </summary>
      <p>{say(advice)}</p>
      {reason && (
        <p class="soft">
          {say(offerTexts.reason)} <code>{reason}</code>
        </p>
      )}
    </details>
  )
}
