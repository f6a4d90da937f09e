import type { ComponentChildren } from 'preact'
import { api, callApi } from '../../kit/api.ts'
import { Section } from '../../kit/elements.tsx'
import { say, type Text } from '../../kit/language.ts'
import { to } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { loadTypes, together } from './calls.ts'
import type { ListState } from './lists/list-calls.ts'
import { ecosystemTexts } from './texts.ts'

interface Step {
  text: Text
  isDone: boolean
  href: string
}

/** The steps to the first VICAL. Hidden once a VICAL exists. */
export function Guide({ ecosystemId, vicals }: { ecosystemId: string; vicals: ListState }) {
  const isConfigured = vicals.configuration !== null
  return vicals.issues.length > 0 ? null : <Steps ecosystemId={ecosystemId} isConfigured={isConfigured} />
}

function Steps({ ecosystemId, isConfigured }: { ecosystemId: string; isConfigured: boolean }) {
  const { data: steps } = useRead(() => loadSteps(ecosystemId, isConfigured), [ecosystemId, isConfigured])
  if (!steps) return null
  const next = steps.find(({ isDone }) => !isDone)
  return (
    <Section title={say(ecosystemTexts.steps)}>
      <ol class="way">
        {steps.map((step) => (
          <li key={step.text.id} class={step.isDone ? 'done' : ''}>
            <span>
              {say(step.text)}
              {step.isDone && <span class="unseen"> ({say(ecosystemTexts.stepDone)})</span>}
            </span>
            {step === next && <Begin href={step.href}>{say(ecosystemTexts.begin)}</Begin>}
          </li>
        ))}
      </ol>
    </Section>
  )
}

function Begin({ href, children }: { href: string; children: ComponentChildren }) {
  return (
    <a class="button primary" href={href}>
      {children}
    </a>
  )
}

async function loadSteps(ecosystemId: string, isConfigured: boolean) {
  const params = { path: { ecosystemId } }
  const [types, participants, trusted, roots] = await Promise.all([
    loadTypes(ecosystemId),
    callApi(api.GET('/v1/ecosystems/{ecosystemId}/participants', { params: { ...params, query: { limit: 2 } } })),
    callApi(api.GET('/v1/ecosystems/{ecosystemId}/issuer-policies/preview', { params })),
    callApi(api.GET('/v1/ecosystems/certificates/ca')),
  ])
  const read = together({ types, participants, trusted, roots })
  if (read.problem) return read
  const { data } = read
  const at = (tab: string) => to(`/ecosystems/${ecosystemId}`, { tab })
  const [first, second] = data.participants.data
  const steps: Step[] = [
    { text: ecosystemTexts.stepTypes, isDone: data.types.length > 0, href: at('types') },
    {
      text: ecosystemTexts.stepParticipant,
      isDone: first !== undefined,
      href: to(`/ecosystems/${ecosystemId}/participants/new`),
    },
    {
      text: ecosystemTexts.stepCertificate,
      isDone: data.trusted.participants.some(({ issuerCertificates }) => issuerCertificates.length > 0),
      href: first && !second ? to(`/ecosystems/${ecosystemId}/participants/${first.id}`) : at('participants'),
    },
    {
      text: ecosystemTexts.stepRoot,
      isDone: data.roots.data.some(({ active }) => active),
      href: to('/ecosystems/certificates'),
    },
    { text: ecosystemTexts.stepConfigure, isDone: isConfigured, href: at('vicals') },
    { text: ecosystemTexts.stepPublish, isDone: false, href: at('vicals') },
  ]
  return { data: steps }
}
