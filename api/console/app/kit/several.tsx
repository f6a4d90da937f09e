import type { ComponentChildren } from 'preact'
import type { Choice, Field } from './form-values.ts'
import { say, type Text } from './language.ts'

/** A list of some of the choices, in the order of the choices. */
export function Several(props: {
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
      <Grouped of={choices}>
        {(each) => (
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
        )}
      </Grouped>
      {fault && (
        <strong id={`${attributes.id}-fault`} class="fault">
          {fault}
        </strong>
      )}
    </fieldset>
  )
}

/** Choices under the headings of their groups. Choices without a group have no heading. */
function Grouped({ of, children }: { of: readonly Choice[]; children: (each: Choice) => ComponentChildren }) {
  const groups = new Map<Text | undefined, Choice[]>()
  for (const each of of) groups.set(each.group, [...(groups.get(each.group) ?? []), each])
  return (
    <>
      {[...groups].map(([group, choices]) =>
        group ? (
          <fieldset key={group.id} class="several">
            <legend>{say(group)}</legend>
            {choices.map(children)}
          </fieldset>
        ) : (
          choices.map(children)
        ),
      )}
    </>
  )
}
