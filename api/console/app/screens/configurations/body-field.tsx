import { useState } from 'preact/hooks'
import { FieldInput } from '../../kit/form.tsx'
import { type Field, readTyped, shownOf, valueAt } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import type { Problem } from '../../kit/problem.ts'
import { type Body, isSame, withValue } from './body.ts'
import type { Group } from './fields.ts'

/** The props of each part of the form: the body, its setter, and the errors of the service for its members. */
export interface Editing {
  body: Body
  change: (body: Body) => void
  details: Problem['details']
}

/** A group of fields under a heading. Rarely used groups are collapsed unless a field has a value or an error. */
export function FieldGroup({ group, ...editing }: { group: Group } & Editing) {
  const { title, hint, fields, isFolded } = group
  const isUsed = fields.some(({ name }) => valueAt(editing.body, name) !== undefined || faultOf(name, editing.details))
  const inner = (
    <>
      {hint && <p class="soft">{say(hint)}</p>}
      <div class="fields">
        {fields.map((field) => (
          <BodyField key={field.name} field={field} {...editing} />
        ))}
      </div>
    </>
  )
  if (isFolded) {
    return (
      <details class="group" open={isUsed || undefined}>
        <summary>{say(title)}</summary>
        {inner}
      </details>
    )
  }
  return (
    <fieldset class="group">
      <legend>{say(title)}</legend>
      {inner}
    </fieldset>
  )
}

/** A field of the body. Keeps the text as typed while it has the same meaning as the body. */
export function BodyField({ field, body, change, details, at = '' }: { field: Field; at?: string } & Editing) {
  const value = valueAt(body, field.name)
  const [typed, setTyped] = useState(() => textOf(field, value))
  const absent = field.isTrueByDefault ?? false
  const inputText = isSame(readTyped(field, typed) ?? false, value ?? absent) ? typed : textOf(field, value)
  const type = (next: string | boolean) => {
    setTyped(next)
    change(withValue(body, field.name.split('.'), storedOf(field, next)))
  }
  return <FieldInput field={field} value={inputText} fault={faultOf(at + field.name, details)} onChange={type} />
}

/** Returns the value to send. Undefined if it equals the default of the service. */
function storedOf(field: Field, typed: string | boolean): unknown {
  if (field.isTrueByDefault) return typed === true ? undefined : false
  return readTyped(field, typed) || undefined
}

/**
 * Returns the text of a value. JSON may have any value where a text is expected. A value that no field can show is visible only in
 * the JSON.
 */
function textOf(field: Field, value: unknown): string | boolean {
  const isShown = field.kind === 'lines' ? Array.isArray(value) : typeof value !== 'object'
  return shownOf(field, isShown ? value : undefined)
}

export function faultOf(name: string, details: Problem['details']): string | undefined {
  return details.find(({ param }) => param === name || param.startsWith(`${name}.`))?.message
}
