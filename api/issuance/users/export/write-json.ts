import type { ExportWriter } from './write-export.ts'

/** Writes an export as one JSON object, a member of `data` for each section. */
export const jsonWriter: ExportWriter = {
  start: ({ userId, issuer, exportedAt }) =>
    `${JSON.stringify({ userId, issuer, exportedAt: exportedAt.toISOString() }).slice(0, -1)},"data":{`,
  section: ({ name }, index) => `${index === 0 ? '' : ','}${JSON.stringify(name)}:[`,
  row: (row, index) => (index === 0 ? '\n' : ',\n') + JSON.stringify(row),
  sectionEnd: () => ']',
  end: () => '}}\n',
}
