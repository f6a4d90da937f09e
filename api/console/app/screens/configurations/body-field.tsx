import { useState } from 'preact/hooks'
import { FieldInput } from '../../kit/form.tsx'
import { type Field, readTyped, shownOf, valueAt } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import type { Problem } from '../../kit/problem.ts'
import { type Body, isSame, withValue } from './body.ts'
import type { Group } from './fields.ts'

/** What parts of the form are given: the body, how it is changed, and what the service says of its members. */
export interface Editing {
  body: Body
  change: (body: Body) => void
  details: Problem['details']
}

/** Fields under a heading. Those that few need are folded, until something stands in one of them or is wrong there. */
export function FieldGroup({ group, ...editing }: { group: Group } & Editing) {
  const { title, hint, fields, isDense, isFolded } = group
  const isUsed = fields.some(({ name }) => valueAt(editing.body, name) !== undefined || faultOf(name, editing.details))
  const inner = (
    <>
      {hint && <p class="soft">{say(hint)}</p>}
      <div class={isDense ? 'dense' : 'fields'}>
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

/** A field of the body. What is typed stays as it was typed for as long as it means what the body says. */
export function BodyField({ field, body, change, details, at = '' }: { field: Field; at?: string } & Editing) {
  const value = valueAt(body, field.name)
  const [typed, setTyped] = useState(() => textOf(field, value))
  const shown = isSame(readTyped(field, typed) ?? false, value ?? false) ? typed : textOf(field, value)
  const type = (next: string | boolean) => {
    setTyped(next)
    change(withValue(body, field.name.split('.'), readTyped(field, next) || undefined))
  }
  return <FieldInput field={field} value={shown} fault={faultOf(at + field.name, details)} onChange={type} />
}

/** JSON can have anything where a text is expected; what no field can show stands in the JSON alone. */
function textOf(field: Field, value: unknown): string | boolean {
  const isShown = field.kind === 'lines' ? Array.isArray(value) : typeof value !== 'object'
  return shownOf(field, isShown ? value : undefined)
}

export function faultOf(name: string, details: Problem['details']): string | undefined {
  return details.find(({ param }) => param === name || param.startsWith(`${name}.`))?.message
}
