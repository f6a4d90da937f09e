import { useId } from 'preact/hooks'
import { say } from '../../kit/language.ts'
import { uploadTexts } from './upload-texts.ts'

/** The columns whose cells come back in the results, in the order of the file. */
export function KeptColumns(props: {
  columns: readonly string[]
  kept: readonly string[]
  onChange: (kept: readonly string[]) => void
}) {
  const { columns, kept, onChange } = props
  const id = useId()
  const toggle = (column: string) => onChange(columns.filter((each) => kept.includes(each) !== (each === column)))
  return (
    <fieldset class="several" aria-describedby={id}>
      <legend>{say(uploadTexts.kept)}</legend>
      <small id={id} class="soft">
        {say(uploadTexts.keptHint)}
      </small>
      {columns.map((column) => (
        <label key={column}>
          <input type="checkbox" checked={kept.includes(column)} onChange={() => toggle(column)} />
          <span>{column}</span>
        </label>
      ))}
    </fieldset>
  )
}
