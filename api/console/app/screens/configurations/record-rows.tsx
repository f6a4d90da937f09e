import type { Field } from '../../kit/form-values.ts'
import { isRecord } from '../../kit/form-values.ts'
import { say, type Text } from '../../kit/language.ts'
import type { Problem } from '../../kit/problem.ts'
import { words } from '../../kit/texts.ts'
import type { Body } from './body.ts'
import { BodyField } from './body-field.tsx'
import { configurationTexts as own } from './texts.ts'

/** A list of objects of the same fields, such as one for each language; an empty one is no list at all. */
export function RecordRows(props: {
  /** Where it stands in the body. */
  name: string
  fields: readonly Field[]
  value: unknown
  /** What one of them is called, with its number. */
  each: Text
  add: Text
  first: Body
  details: Problem['details']
  change: (rows: Body[] | undefined) => void
}) {
  const { name, fields, value, each, add, first, details, change } = props
  const rows = Array.isArray(value) ? value.filter(isRecord) : []
  const put = (next: Body[]) => change(next.length > 0 ? next : undefined)
  return (
    <div class="rows">
      {rows.map((row, place) => (
        <fieldset key={place}>
          <legend>{say(each, { number: place + 1 })}</legend>
          <div class="dense">
            {fields.map((field) => (
              <BodyField
                key={field.name}
                field={field}
                at={`${name}.${place}.`}
                body={row}
                details={details}
                change={(changed) => put(rows.map((other, at) => (at === place ? changed : other)))}
              />
            ))}
          </div>
          <div class="actions">
            <button type="button" class="plain" onClick={() => put(rows.filter((_, at) => at !== place))}>
              {say(own.removeIt)}
              <span class="unseen"> {say(each, { number: place + 1 })}</span>
            </button>
          </div>
        </fieldset>
      ))}
      <div class="actions">
        <button type="button" onClick={() => put([...rows, rows.length === 0 ? first : {}])}>
          {say(add)}
        </button>
      </div>
      {rows.length === 0 && <small class="soft">{say(words.none)}</small>}
    </div>
  )
}
