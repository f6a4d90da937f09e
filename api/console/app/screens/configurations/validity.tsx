import { useId, useState } from 'preact/hooks'
import { endOf, type Unit, units } from '../../kit/end-of.ts'
import { isRecord } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import { commonTexts } from '../../kit/texts.ts'
import { When } from '../../kit/when.tsx'
import { isSame, withValue } from './body.ts'
import { type Editing, faultOf } from './body-field.tsx'
import { fieldTexts as labels } from './field-texts.ts'
import { configurationTexts as own } from './texts.ts'

/** The row that was edited last. It stays while its amount is empty, and shows the text as typed. */
interface EditedRow {
  unit: Unit
  text: string
  /** The duration after the edit. If the body has another one, this row no longer applies. */
  duration: unknown
}

/** The validity of a credential: amounts with their units, and the resulting date for an issuance now. */
export function Validity({ body, change, details }: Editing) {
  const [edited, setEdited] = useState<EditedRow>()
  const duration = isRecord(body.expiresIn) ? body.expiresIn : {}
  const current = edited && isSame(edited.duration, body.expiresIn) ? edited : undefined
  const used = units.filter((unit) => unit in duration || unit === current?.unit)
  const rows = used.length > 0 ? used : [units[0]]
  const free = units.filter((unit) => !rows.includes(unit))
  const put = (unit: Unit, text: string, before?: Unit) => {
    const moved = before ? withValue(body, ['expiresIn', before], undefined) : body
    const next = withValue(moved, ['expiresIn', unit], Number(text) || undefined)
    setEdited({ unit, text, duration: next.expiresIn })
    change(next)
  }
  const textOf = (unit: Unit) => (current?.unit === unit ? current.text : String(duration[unit] ?? ''))
  const next = free.find((unit) => units.indexOf(unit) > units.indexOf(rows.at(-1) ?? units[0])) ?? free[0]
  const faultOfAll = details.find(({ param }) => param === 'expiresIn')?.message
  return (
    <fieldset class="group">
      <legend>{say(own.validity)}</legend>
      <p class="soft">{say(labels.expiresInHint)}</p>
      <div class="fields">
        {rows.map((unit, index) => (
          <Row
            key={index}
            number={index + 1}
            {...{ unit, free }}
            text={textOf(unit)}
            fault={faultOf(`expiresIn.${unit}`, details) ?? (index === 0 ? faultOfAll : undefined)}
            onText={(text) => put(unit, text)}
            onUnit={(to) => put(to, textOf(unit), unit)}
          />
        ))}
        <End duration={duration} />
        {next && (
          <div class="actions">
            <button type="button" onClick={() => put(next, '')}>
              {say(own.addUnit)}
            </button>
          </div>
        )}
      </div>
    </fieldset>
  )
}

function Row(props: {
  number: number
  unit: Unit
  /** The units that no row has. */
  free: readonly Unit[]
  text: string
  fault: string | undefined
  onText: (text: string) => void
  onUnit: (unit: Unit) => void
}) {
  const { number, unit, free, text, fault, onText, onUnit } = props
  const id = useId()
  const suffix = number === 1 ? '' : ` ${number}`
  return (
    <div class={`field ${fault ? 'wrong' : ''}`}>
      <label for={id}>
        {say(own.expiresAfter)}
        {suffix}
        {number === 1 && <span class="soft"> ({say(commonTexts.optional)})</span>}
      </label>
      <span class="amount">
        <input
          id={id}
          type="number"
          min={0}
          value={text}
          aria-invalid={fault ? true : undefined}
          aria-describedby={fault && `${id}-fault`}
          onInput={(event) => onText(event.currentTarget.value)}
        />
        <select
          aria-label={`${say(own.unit)}${suffix}`}
          value={unit}
          // Boundary: the options are units.
          onChange={(event) => onUnit(event.currentTarget.value as Unit)}
        >
          {units
            .filter((each) => each === unit || free.includes(each))
            .map((each) => (
              <option key={each} value={each}>
                {say(labels[each])}
              </option>
            ))}
        </select>
      </span>
      {fault && (
        <strong id={`${id}-fault`} class="fault">
          {fault}
        </strong>
      )}
    </div>
  )
}

/** The date on which a credential that is issued now expires. */
function End({ duration }: { duration: Record<string, unknown> }) {
  const set = Object.values(duration).some((amount) => Number(amount) > 0)
  // Boundary: the service validates the amounts. A wrong amount has no date.
  const end = set ? endOf(new Date(), duration) : undefined
  return (
    <output class="soft">
      {end ? (
        <>
          {say(own.expiresOn)} {<When at={end.getTime()} />}
        </>
      ) : (
        say(set ? own.noDate : own.noEnd)
      )}
    </output>
  )
}
