import { Section } from '../../kit/elements.tsx'
import { say, type Text, verbatim } from '../../kit/language.ts'
import { type Column, Table } from '../../kit/table.tsx'
import { numberText } from '../../kit/when.tsx'
import type { Preview, PreviewRow } from './preview.ts'
import { uploadTexts } from './upload-texts.ts'

const same = (text: string): Text => verbatim(text)

/** The first rows of a file as a table that scrolls. */
export function PreviewTable({ columns, rows }: Preview) {
  const tableColumns: Column<PreviewRow>[] = [
    { head: same('#'), cell: ({ number }) => numberText(number) },
    ...columns.map((column, at) => ({ head: same(column), cell: ({ cells }: PreviewRow) => cells[at] ?? '' })),
  ]
  return (
    <Section title={say(uploadTexts.preview)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <div class="preview" tabIndex={0}>
        <Table
          caption={uploadTexts.preview}
          columns={tableColumns}
          rows={rows}
          keyOf={({ number }) => String(number)}
        />
      </div>
    </Section>
  )
}
