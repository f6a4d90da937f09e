import { api, callApi, type Schemas } from '../../../kit/api.ts'
import { Collection } from '../../../kit/collection.tsx'
import { CopyButton } from '../../../kit/copy.tsx'
import { DialogButton } from '../../../kit/dialog-button.tsx'
import { say } from '../../../kit/language.ts'
import type { Column } from '../../../kit/table.tsx'
import { commonTexts } from '../../../kit/texts.ts'
import { profileTexts } from '../../configurations/texts.ts'
import { settingTexts } from '../../tenants/texts.ts'
import { viewTexts as t } from './texts.ts'
import { ViewDetails } from './view-details.tsx'
import { ViewForm } from './view-form.tsx'

type View = Schemas['View']

const path = '/v1/views'

/** The views of the issuer. */
export function Views() {
  return (
    <Collection<View>
      calls={{ create: 'createView', change: 'updateView', remove: 'deleteView' }}
      texts={t}
      guide="views"
      list={(query) => callApi(api.GET(path, { params: { query } }))}
      idOf={({ id }) => id}
      path={path}
      columns={columns}
      form={(view, end) => <ViewForm view={view} end={end} />}
      actions={(view) => (
        <DialogButton label={say(commonTexts.show)} title={view.name}>
          {() => <ViewDetails of={view} />}
        </DialogButton>
      )}
      deletion={{
        word: ({ name }) => name,
        act: ({ id }) => callApi(api.DELETE(`${path}/{id}`, { params: { path: { id } } })),
      }}
    />
  )
}

const columns: readonly Column<View>[] = [
  { head: commonTexts.name, cell: ({ name }) => name },
  {
    head: t.issuer,
    cell: ({ issuer }) => (
      <span class="id">
        {issuer}
        <CopyButton text={issuer} label={issuer} />
      </span>
    ),
  },
  { head: settingTexts.profile, cell: ({ profile }) => profile },
  { head: t.selection, cell: ({ configurations }) => publishedBy(configurations) },
]

function publishedBy(configurations: View['configurations']): string {
  if ('ids' in configurations) return say(t.count, { count: configurations.ids.length })
  return configurations.profiles.map((profile) => say(profileTexts[profile])).join(', ')
}
