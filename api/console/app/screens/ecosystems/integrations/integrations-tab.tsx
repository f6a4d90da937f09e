import { useState } from 'preact/hooks'
import { ActButton } from '../../../kit/act-button.tsx'
import { type Answered, api, callApi, type Schemas } from '../../../kit/api.ts'
import { ConfirmButton } from '../../../kit/dialog.tsx'
import { Section } from '../../../kit/elements.tsx'
import { FormButton } from '../../../kit/form-button.tsx'
import type { Field } from '../../../kit/form-values.ts'
import { say } from '../../../kit/language.ts'
import { Empty } from '../../../kit/states.tsx'
import { UndoButton } from '../../../kit/undo.tsx'
import { changeEcosystem, type Ecosystem, mayChange } from '../calls.ts'
import { ecosystemTexts } from '../texts.ts'
import { certificatesOf } from './certificates-address.ts'
import { IntegrationResult } from './result.tsx'
import { integrationTexts } from './texts.ts'

type NewIntegration = Schemas['NewIntegration']
type Format = NewIntegration['format']

const fields: readonly Field[] = [
  {
    ...{ name: 'format', label: integrationTexts.format, kind: 'choice', required: true },
    choices: [
      { value: 'VICAL', label: integrationTexts.VICAL },
      { value: 'RICAL', label: integrationTexts.RICAL },
    ],
  },
  { name: 'url', label: integrationTexts.url, hint: integrationTexts.urlHint, required: true },
  { name: 'anchor', label: integrationTexts.anchor, hint: integrationTexts.anchorHint, kind: 'pem' },
]

/** The imported lists of an ecosystem, with their state. */
export function IntegrationsTab({ ecosystem, onChanged }: { ecosystem: Ecosystem; onChanged: () => void }) {
  const { id, integrations } = ecosystem
  const add = mayChange() && (
    <FormButton
      calls="updateEcosystem"
      label={say(integrationTexts.newList)}
      isPrimary
      fields={fields}
      submit={({ format, url, anchor }) =>
        keep(id, (all) => [
          ...all,
          // Boundary: the choices of the field are the formats.
          { format: format as Format, url: String(url), enabled: true, trustAnchors: anchor ? [String(anchor)] : [] },
        ]).then(aboutForm)
      }
      onDone={onChanged}
    />
  )
  return (
    <Section title={say(ecosystemTexts.integrations)} actions={add}>
      <p class="soft">{say(integrationTexts.what)}</p>
      {mayChange() && integrations.some(({ enabled }) => enabled) && <Sync onDone={onChanged} />}
      {integrations.length === 0 && <Empty>{say(integrationTexts.empty)}</Empty>}
      {integrations.map((each, position) => (
        <IntegrationResult key={each.url} of={each} certificatesHref={certificatesOf(id, position)}>
          {mayChange() && <Acts ecosystemId={id} url={each.url} enabled={each.enabled} onDone={onChanged} />}
        </IntegrationResult>
      ))}
    </Section>
  )
}

function Sync({ onDone }: { onDone: () => void }) {
  const [isRequested, setRequested] = useState(false)
  const done = () => {
    setRequested(true)
    onDone()
  }
  return (
    <div class="actions acts">
      <ActButton
        calls="syncEcosystems"
        label={say(integrationTexts.sync)}
        act={() => callApi(api.POST('/v1/ecosystems/sync'))}
        onDone={done}
      />
      {isRequested && (
        <p class="note" role="status">
          {say(integrationTexts.syncing)}
        </p>
      )}
    </div>
  )
}

function Acts(props: { ecosystemId: string; url: string; enabled: boolean; onDone: () => void }) {
  const { ecosystemId, url, enabled, onDone } = props
  const enable = (isEnabled: boolean) =>
    keep(ecosystemId, (all) => all.map((each) => (each.url === url ? { ...each, enabled: isEnabled } : each)))
  return (
    <>
      <UndoButton
        calls="updateEcosystem"
        label={say(enabled ? integrationTexts.disable : integrationTexts.enable)}
        act={() => enable(!enabled)}
        undo={() => enable(enabled)}
        onDone={onDone}
      />
      <ConfirmButton
        calls="updateEcosystem"
        label={say(integrationTexts.remove)}
        title={url}
        isDanger
        act={() => keep(ecosystemId, (all) => all.filter((each) => each.url !== url))}
        onDone={onDone}
      >
        <p>{say(integrationTexts.removeWhat)}</p>
      </ConfirmButton>
    </>
  )
}

/** Changes the integrations of an ecosystem, and keeps its other members. */
function keep(ecosystemId: string, change: (integrations: NewIntegration[]) => NewIntegration[]) {
  return changeEcosystem(ecosystemId, (body) => ({ ...body, integrations: change(body.integrations) }))
}

/** Moves the errors of the added list to the fields of the form. */
function aboutForm(answered: Answered<Ecosystem>): Answered<Ecosystem> {
  if (!answered.problem) return answered
  const details = answered.problem.details.map(({ param, message }) => ({
    param: param.replace(/^integrations\.\d+\./, '').replace(/^trustAnchors.*/, 'anchor'),
    message,
  }))
  return { problem: { ...answered.problem, details } }
}
