import { useId, useState } from 'preact/hooks'
import { say } from '../../kit/language.ts'
import { uploadTexts } from './upload-texts.ts'

/** A field for one file, which can be chosen or dropped. */
export function FileField({ fault, onFile }: { fault: string | undefined; onFile: (file: File | undefined) => void }) {
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
      <label for={id}>{say(uploadTexts.file)}</label>
      <small id={`${id}-hint`} class="soft">
        {say(uploadTexts.fileHint)}
      </small>
      <input
        id={id}
        type="file"
        accept=".csv,.tsv,.txt,.jsonl,.ndjson,.gz,text/csv"
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
