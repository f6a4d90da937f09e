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
import { type DraftRequest, useDraftRequest } from './request-log.ts'
import { type Calls, canCall } from './session.ts'
import { Several } from './several.tsx'
import { ProblemMessage } from './states.tsx'
import { commonTexts } from './texts.ts'

/**
 * A form whose fields are data. Typed values stay after every problem. Errors of the service are shown at their fields. `start` is
 * the existing body, in the form of the API. Users who may not call the operation of `submit`, which is `calls`, see no buttons.
 */
export function Form<Data, Body extends object = Record<string, unknown>>(props: {
  calls: Calls
  fields: readonly Field[]
  start?: object | undefined
  action: string
  /** Receives the body of the fields. The fields are chosen so that their body has this type. The service validates it. */
  submit: (body: Body) => Promise<Answered<Data>>
  onDone: (data: Data) => void
  onCancel?: () => void
  /** Replaces the typed values with the current version. Offered after another user has changed the object. */
  onTheirs?: () => void
  /** Returns the request for the body of the fields, also while fields are missing. It is shown as a command before it is sent. */
  drafts?: (body: Body) => DraftRequest
  /** A second button that tests the typed values and saves nothing. */
  trying?: { label: string; act: (body: Body) => void }
  /** Called with the typed values at first and after each change, for a preview. */
  onTyped?: (typed: Typed) => void
  /** Places the inputs of the fields. Without it they follow each other. */
  arrange?: (input: (field: Field) => ComponentChildren) => ComponentChildren
  children?: ComponentChildren
}) {
  const { calls, fields, action, submit, onDone, onCancel, onTheirs, trying, arrange, children } = props
  const [typed, setTyped] = useTyped(props)
  const [faults, setFaults] = useState<Record<string, string>>({})
  const { run, problem, isBusy } = useAction(submit, onDone)
  const give = (to: (body: Body) => void) => {
    const read = bodyOf(fields, typed)
    setFaults(read.faults)
    // Boundary: the author of the fields declares the type of their body.
    if (Object.keys(read.faults).length === 0) to(read.body as Body)
  }
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    give((body) => void run(body))
  }
  const errors = problem?.details ?? []
  const unplaced = errors.filter(({ param }) => !fields.some(({ name }) => isAbout(param, name)))
  const input = (field: Field) => (
    <FieldInput
      key={field.name}
      field={field}
      value={typed[field.name] ?? ''}
      fault={faults[field.name] ?? errors.find(({ param }) => isAbout(param, field.name))?.message}
      onChange={(value) => setTyped((before) => ({ ...before, [field.name]: value }))}
    />
  )
  return (
    <form class="fields" onSubmit={send} noValidate>
      {arrange ? arrange(input) : fields.map(input)}
      {children}
      {problem && <ProblemMessage problem={withoutShownErrors(problem, unplaced)} />}
      {problem?.kind === 'changed' && onTheirs && <SecondButton label={say(commonTexts.theirs)} onClick={onTheirs} />}
      {Object.keys(faults).length > 0 && <FieldsAreWrong />}
      <Buttons {...{ calls, action, isBusy }}>
        {trying && <SecondButton label={trying.label} onClick={() => give(trying.act)} />}
        {onCancel && <SecondButton label={say(commonTexts.cancel)} onClick={onCancel} />}
      </Buttons>
    </form>
  )
}

/** Returns the typed values and their setter. Reports them for a preview, and as the request that the form would send. */
function useTyped<Body extends object>(props: {
  fields: readonly Field[]
  start?: object | undefined
  drafts?: (body: Body) => DraftRequest
  onTyped?: (typed: Typed) => void
}) {
  const { fields, drafts, onTyped } = props
  const [start] = useState(props.start ?? {})
  const [values, setValues] = useState<Typed>(() => typedOf(fields, start))
  // A field that is added while the user types begins with its value of the existing body.
  const typed = { ...typedOf(fields, start), ...values }
  useEffect(() => onTyped?.(typed), [values])
  // Boundary: the author of the fields declares the type of their body.
  useDraftRequest(drafts?.(bodyOf(fields, typed).body as Body))
  return [typed, setValues] as const
}

function Buttons(props: { calls: Calls; action: string; isBusy: boolean; children: ComponentChildren }) {
  const { calls, action, isBusy, children } = props
  if (!canCall(calls)) return null
  return (
    <div class="actions">
      <button type="submit" class="primary" disabled={isBusy}>
        {action}
      </button>
      {children}
    </div>
  )
}

function FieldsAreWrong() {
  return (
    <p class="problem" role="alert">
      {say(commonTexts.fieldsWrong)}
    </p>
  )
}

function SecondButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" onClick={onClick}>
      {label}
    </button>
  )
}

/** Removes errors that are shown at their fields. */
function withoutShownErrors({ message, ...problem }: Problem, details: Problem['details']): Problem {
  const isShown = problem.details.length > 0 && details.length === 0
  return { ...problem, details, ...(message && !isShown && { message }) }
}

function isAbout(param: string, name: string): boolean {
  return param === name || param.startsWith(`${name}.`) || param.startsWith(`${name}[`)
}

/** One field with label, hint and error. Screen readers announce all three. */
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
        {!field.required && !isTick && field.kind !== 'choice' && (
          <span class="soft"> ({say(commonTexts.optional)})</span>
        )}
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
      return <Choice {...props} text={text} />
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
        <Stacked below={field.below?.(onChange)}>
          <input
            {...attributes}
            // Boundary: the types of Preact accept one input type at a time, because of their roles.
            type={(inputTypes[field.kind ?? 'text'] ?? 'text') as 'text'}
            value={text}
            placeholder={field.placeholder}
            autoComplete="off"
            onInput={onText}
          />
        </Stacked>
      )
  }
}

/** An input, and what is below it. Both are one element, so that they stay together where a field is a row. */
function Stacked({ below, children }: { below: ComponentChildren; children: ComponentChildren }) {
  if (!below) return <>{children}</>
  return (
    <div class="stacked">
      {children}
      {below}
    </div>
  )
}

const inputTypes: { [kind in NonNullable<Field['kind']>]?: string } = {
  number: 'number',
  date: 'date',
  moment: 'datetime-local',
  secret: 'password',
}

function Choice(props: { field: Field; text: string; onChange: (value: string) => void; attributes: { id: string } }) {
  const { field, text, onChange, attributes } = props
  return (
    <select {...attributes} value={text} onChange={(event) => onChange(event.currentTarget.value)}>
      {!field.required && <option value="">–</option>}
      {field.choices?.map(({ value, label }) => (
        <option key={value} value={value}>
          {say(label)}
        </option>
      ))}
    </select>
  )
}

/** A colour as text, with the colour picker of the browser. It may be empty. */
function ColorInput(props: {
  field: Field
  text: string
  onChange: (value: string) => void
  attributes: { id: string }
}) {
  const { field, text, onChange, attributes } = props
  const onText = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value)
  const swatch = colorOf(text) ?? colorOf(field.placeholder) ?? '#808080'
  return (
    <span class="color-input">
      <input {...attributes} value={text} placeholder={field.placeholder} autoComplete="off" onInput={onText} />
      <input
        type="color"
        value={swatch}
        aria-label={`${say(commonTexts.pick)}: ${say(field.label)}`}
        onInput={onText}
      />
    </span>
  )
}
