import { useId, useState } from 'preact/hooks'
import { say, type Text } from './language.ts'

/** A field for one file, which can be chosen or dropped. */
export function DropField(props: {
  label: Text
  hint: Text
  accept: string
  fault: string | undefined
  onFile: (file: File | undefined) => void
}) {
  const { label, hint, accept, fault, onFile } = props
  const id = useId()
  const [isOver, setOver] = useState(false)
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the file is also chosen with the field
    <div
      class={`drop ${isOver ? 'over' : ''}`}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const [file] = event.dataTransfer?.files ?? []
        const field = document.getElementById(id)
        if (field instanceof HTMLInputElement && event.dataTransfer) field.files = event.dataTransfer.files
        onFile(file)
      }}
    >
      <label for={id}>{say(label)}</label>
      <small id={`${id}-hint`} class="soft">
        {say(hint)}
      </small>
      <input
        id={id}
        type="file"
        accept={accept}
        aria-describedby={`${id}-hint`}
        aria-invalid={fault ? true : undefined}
        onChange={({ currentTarget }) => onFile(currentTarget.files?.[0])}
      />
      {fault && (
        <strong class="fault" role="alert">
          {fault}
        </strong>
      )}
    </div>
  )
}
