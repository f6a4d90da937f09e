import { ConfirmButton } from '../../../kit/dialog.tsx'
import { FormButton } from '../../../kit/form-button.tsx'
import type { Field } from '../../../kit/form-values.ts'
import { say } from '../../../kit/language.ts'
import { type Configuration, configureLists, kindNames, type ListKind, stopLists } from './list-calls.ts'
import { listTexts } from './texts.ts'

const fields: readonly Field[] = [
  { name: 'provider', label: listTexts.provider, hint: listTexts.providerHint, required: true },
  { name: 'autoPublish.enabled', label: listTexts.automatic, hint: listTexts.automaticHint, kind: 'tick' },
  {
    name: 'autoPublish.frequency',
    label: listTexts.frequency,
    kind: 'choice',
    required: true,
    choices: [
      { value: 'Daily', label: listTexts.Daily },
      { value: 'Weekly', label: listTexts.Weekly },
    ],
  },
  { name: 'retention.keepLast', label: listTexts.keepLast, hint: listTexts.keepLastHint, kind: 'number' },
  { name: 'retention.keepMonthly', label: listTexts.keepMonthly, kind: 'tick' },
]

interface OfLists {
  ecosystemId: string
  kind: ListKind
  configuration: Configuration | null
  onChanged: () => void
}

/** Sets the publisher and the schedule of lists. */
export function ConfigureButton({ ecosystemId, kind, configuration, onChanged }: OfLists) {
  return (
    <FormButton
      calls="configureVical"
      label={say(configuration ? listTexts.change : listTexts.setUp)}
      title={`${kindNames[kind]}: ${say(listTexts.configuration)}`}
      isPrimary={!configuration}
      fields={fields}
      start={configuration ?? { autoPublish: { enabled: true } }}
      submit={(body) => configureLists(ecosystemId, kind, body)}
      onDone={onChanged}
    />
  )
}

export function StopButton({ ecosystemId, kind, onChanged }: Omit<OfLists, 'configuration'>) {
  return (
    <ConfirmButton
      calls="deleteVicalConfiguration"
      label={say(listTexts.stop)}
      title={`${kindNames[kind]}: ${say(listTexts.stop)}`}
      isDanger
      act={() => stopLists(ecosystemId, kind)}
      onDone={onChanged}
    >
      <p>{say(listTexts.stopWhat)}</p>
    </ConfirmButton>
  )
}
