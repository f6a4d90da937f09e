import type { ComponentChildren } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import type { Answered } from './api.ts'
import { colorOf } from './colors.ts'
import { useAction } from './dialog.tsx'
import { FileInput } from './file-input.tsx'
import { bodyOf, type Field, type Typed, typedOf } from './form-values.ts'
import { say } from './language.ts'
import { PemInput } from './pem.tsx'
import type { Problem } from './problem.ts'
import { Trouble } from './states.tsx'
import { words } from './texts.ts'

/**
 * A form of fields that are data. What is typed stays through every problem; what the service says of a field stands at the field.
 * `start` is what there is before: a body as the API has it.
 */
export function Form<Data, Body extends object = Record<string, unknown>>(props: {
  fields: readonly Field[]
  start?: object | undefined
  action: string
  /** Given the body that the fields make: the fields are chosen so that it is this, and the service says where it is not. */
  submit: (body: Body) => Promise<Answered<Data>>
  onDone: (data: Data) => void
  onCancel?: () => void
  /** Shows what is there now in the place of what was typed: offered when somebody else has changed it meanwhile. */
  onTheirs?: () => void
  /** A second button: tries what is typed, and saves nothing. */
  trying?: { label: string; act: (body: Body) => void }
  /** Told what stands in the fields, at once and with each change: for a preview. */
  onTyped?: (typed: Typed) => void
  children?: ComponentChildren
}) {
  const { fields, start, action, submit, onDone, onCancel, onTheirs, trying, onTyped, children } = props
  const [typed, setTyped] = useState<Typed>(() => typedOf(fields, start ?? {}))
  const [faults, setFaults] = useState<Record<string, string>>({})
  const { run, problem, isBusy } = useAction(submit, onDone)
  useEffect(() => onTyped?.(typed), [typed])
  const give = (to: (body: Body) => void) => {
    const made = bodyOf(fields, typed)
    setFaults(made.faults)
    // Boundary: whoever writes the fields says what they make.
    if (Object.keys(made.faults).length === 0) to(made.body as Body)
  }
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    give((body) => void run(body))
  }
  const told = problem?.details ?? []
  const others = told.filter(({ param }) => !fields.some(({ name }) => isAbout(param, name)))
  return (
    <form class="fields" onSubmit={send} noValidate>
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={typed[field.name] ?? ''}
          fault={faults[field.name] ?? told.find(({ param }) => isAbout(param, field.name))?.message}
          onChange={(value) => setTyped((before) => ({ ...before, [field.name]: value }))}
        />
      ))}
      {children}
      {problem && <Trouble problem={withoutTold(problem, others)} />}
      {problem?.kind === 'changed' && onTheirs && <SecondButton label={say(words.theirs)} onClick={onTheirs} />}
      {Object.keys(faults).length > 0 && (
        <p class="trouble" role="alert">
          {say(words.fieldsWrong)}
        </p>
      )}
      <div class="actions">
        <button type="submit" class="primary" disabled={isBusy}>
          {action}
        </button>
        {trying && <SecondButton label={trying.label} onClick={() => give(trying.act)} />}
        {onCancel && <SecondButton label={say(words.cancel)} onClick={onCancel} />}
      </div>
    </form>
  )
}

function SecondButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" onClick={onClick}>
      {label}
    </button>
  )
}

/** What stands at the fields is not said once more below them. */
function withoutTold({ message, ...problem }: Problem, details: Problem['details']): Problem {
  const isTold = problem.details.length > 0 && details.length === 0
  return { ...problem, details, ...(message && !isTold && { message }) }
}

function isAbout(param: string, name: string): boolean {
  return param === name || param.startsWith(`${name}.`) || param.startsWith(`${name}[`)
}

/** One field: its label, what it is for, and what is wrong with it, all of which a screen reader hears. */
export function FieldInput(props: {
  field: Field
  value: string | boolean
  fault: string | undefined
  onChange: (value: string | boolean) => void
}) {
  const { field, fault } = props
  const id = useId()
  const described = [field.hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ')
  const attributes = {
    id,
    'aria-describedby': described || undefined,
    'aria-invalid': fault ? true : undefined,
    'aria-required': field.required,
  } as const
  const hint = field.hint && (
    <small id={`${id}-hint`} class="soft">
      {say(field.hint)}
    </small>
  )
  const isTick = field.kind === 'tick'
  if (field.kind === 'several') return <Several {...props} attributes={attributes} hint={hint} />
  return (
    <div class={`field ${isTick ? 'tick' : ''} ${fault ? 'wrong' : ''}`}>
      {isTick && <Input {...props} attributes={attributes} />}
      <label for={id}>
        {say(field.label)}
        {!field.required && !isTick && field.kind !== 'choice' && <span class="soft"> ({say(words.optional)})</span>}
      </label>
      {hint}
      {!isTick && <Input {...props} attributes={attributes} />}
      {fault && (
        <strong id={`${id}-fault`} class="fault">
          {fault}
        </strong>
      )}
    </div>
  )
}

function Input(props: {
  field: Field
  value: string | boolean
  onChange: (value: string | boolean) => void
  attributes: { id: string }
}) {
  const { field, value, onChange, attributes } = props
  const text = String(value)
  const onText = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value)
  switch (field.kind) {
    case 'tick':
      return (
        <input
          {...attributes}
          type="checkbox"
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      )
    case 'choice':
      return (
        <select {...attributes} value={text} onChange={onText}>
          {!field.required && <option value="">–</option>}
          {field.choices?.map(({ value: each, label }) => (
            <option key={each} value={each}>
              {say(label)}
            </option>
          ))}
        </select>
      )
    case 'pem':
      return <PemInput value={text} label={say(field.label)} onChange={onChange} attributes={attributes} />
    case 'long':
    case 'lines':
    case 'json':
      return (
        <textarea
          {...attributes}
          rows={field.rows ?? 4}
          placeholder={field.placeholder}
          spellcheck={field.kind === 'long'}
          value={text}
          onInput={onText}
        />
      )
    case 'color':
      return <ColorInput {...props} text={text} />
    case 'file':
      return <FileInput attributes={attributes} value={text} onChange={onChange} />
    default:
      return (
        <input
          {...attributes}
          // Boundary: the types of Preact ask for one of them at a time, for their roles.
          type={(inputTypes[field.kind ?? 'text'] ?? 'text') as 'text'}
          value={text}
          placeholder={field.placeholder}
          autoComplete="off"
          onInput={onText}
        />
      )
  }
}

const inputTypes: { [kind in NonNullable<Field['kind']>]?: string } = {
  number: 'number',
  date: 'date',
  moment: 'datetime-local',
  secret: 'password',
}

/** A colour in its own words, with the browser's picker beside it: it may be none at all. */
function ColorInput(props: {
  field: Field
  text: string
  onChange: (value: string) => void
  attributes: { id: string }
}) {
  const { field, text, onChange, attributes } = props
  const onText = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value)
  const shown = colorOf(text) ?? colorOf(field.placeholder) ?? '#808080'
  return (
    <span class="color-input">
      <input {...attributes} value={text} placeholder={field.placeholder} autoComplete="off" onInput={onText} />
      <input type="color" value={shown} aria-label={`${say(words.pick)}: ${say(field.label)}`} onInput={onText} />
    </span>
  )
}

/** A list of some of the choices, in their order. */
function Several(props: {
  field: Field
  value: string | boolean
  fault: string | undefined
  onChange: (value: string) => void
  attributes: { id: string; 'aria-describedby': string | undefined }
  hint: ComponentChildren
}) {
  const { field, value, fault, onChange, attributes, hint } = props
  const { choices = [] } = field
  const chosen = new Set(String(value).split('\n'))
  const choose = (each: string, isChosen: boolean) => {
    const now = choices.filter((one) => (one.value === each ? isChosen : chosen.has(one.value)))
    onChange(now.map((one) => one.value).join('\n'))
  }
  return (
    <fieldset class={`several ${fault ? 'wrong' : ''}`} aria-describedby={attributes['aria-describedby']}>
      <legend>{say(field.label)}</legend>
      {hint}
      {choices.map((each) => (
        <label key={each.value}>
          <input
            type="checkbox"
            checked={chosen.has(each.value)}
            onChange={(event) => choose(each.value, event.currentTarget.checked)}
          />
          <span>
            {say(each.label)}
            {each.hint && <small class="soft">{say(each.hint)}</small>}
          </span>
        </label>
      ))}
      {fault && (
        <strong id={`${attributes.id}-fault`} class="fault">
          {fault}
        </strong>
      )}
    </fieldset>
  )
}
