import type { Field } from '../../kit/form-values.ts'
import { isRecord } from '../../kit/form-values.ts'
import { say, type Text } from '../../kit/language.ts'
import type { Problem } from '../../kit/problem.ts'
import { commonTexts } from '../../kit/texts.ts'
import type { Body } from './body.ts'
import { BodyField } from './body-field.tsx'
import { configurationTexts as own } from './texts.ts'

/** A list of objects with the same fields, for example one for each language. An empty list is omitted from the body. */
export function RecordRows(props: {
  /** The path of the list in the body. */
  name: string
  fields: readonly Field[]
  value: unknown
  /** The title of one row, with its number. */
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
      {rows.map((row, index) => (
        <fieldset key={index}>
          <legend>{say(each, { number: index + 1 })}</legend>
          <div class="dense">
            {fields.map((field) => (
              <BodyField
                key={field.name}
                field={field}
                at={`${name}.${index}.`}
                body={row}
                details={details}
                change={(changed) => put(rows.map((other, at) => (at === index ? changed : other)))}
              />
            ))}
          </div>
          <div class="actions">
            <button type="button" class="plain" onClick={() => put(rows.filter((_, at) => at !== index))}>
              {say(own.removeIt)}
              <span class="unseen"> {say(each, { number: index + 1 })}</span>
            </button>
          </div>
        </fieldset>
      ))}
      <div class="actions">
        <button type="button" onClick={() => put([...rows, rows.length === 0 ? first : {}])}>
          {say(add)}
        </button>
      </div>
      {rows.length === 0 && <small class="soft">{say(commonTexts.none)}</small>}
    </div>
  )
}
