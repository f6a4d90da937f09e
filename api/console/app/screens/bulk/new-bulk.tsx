import { type Configuration, nameOfConfiguration, useConfigurations } from '../../kit/configurations.ts'
import { DownloadButton } from '../../kit/download.tsx'
import { say } from '../../kit/language.ts'
import { Screen } from '../../kit/screen.tsx'
import { Empty, Shown } from '../../kit/states.tsx'
import { to, useQuery } from '../../kit/url-state.ts'
import { bulkTexts } from './texts.ts'
import { UploadForm } from './upload-form.tsx'
import { uploadTexts } from './upload-texts.ts'
import './bulk.css'

/** The upload of a file: what its rows become, the file with a preview, and the meaning of its columns. */
export default function NewBulk() {
  const configurations = useConfigurations()
  const up = { href: to('/bulk'), title: say(bulkTexts.bulk) }
  return (
    <Screen title={say(uploadTexts.title)} up={up}>
      <Shown of={configurations}>{(all) => <Choice of={all.filter(isSignable)} />}</Shown>
    </Screen>
  )
}

/** A mobile credential is bound to a key of the person. The service checks the key binding of an SD-JWT VC. */
function isSignable({ profile }: Configuration): boolean {
  return profile !== 'mobile'
}

/** The choice is in the address. */
function Choice({ of }: { of: readonly Configuration[] }) {
  const [{ configuration = '' }, change] = useQuery()
  const chosen = of.filter(({ id }) => id === configuration)
  if (of.length === 0) return <NoConfiguration />
  return (
    <>
      <fieldset class="fields">
        <legend>{say(uploadTexts.configuration)}</legend>
        {of.map((each) => (
          <label key={each.id} class="choice">
            <input
              type="radio"
              name="configuration"
              checked={each.id === configuration}
              onChange={() => change({ configuration: each.id })}
            />
            <span>
              {nameOfConfiguration(each)}
              <small>
                {each.profile} · {each.type}
              </small>
            </span>
          </label>
        ))}
      </fieldset>
      {chosen.length === 0 ? (
        <p class="soft">{say(uploadTexts.chooseFirst)}</p>
      ) : (
        <>
          {chosen.map((each) => (
            <Template key={each.id} configuration={each} />
          ))}
          <UploadForm key={configuration} chosen={chosen} />
        </>
      )}
    </>
  )
}

function NoConfiguration() {
  const begin = (
    <a class="button primary" href={to('/configurations/new')}>
      {say(uploadTexts.newConfiguration)}
    </a>
  )
  return <Empty action={begin}>{say(uploadTexts.noConfiguration)}</Empty>
}

function Template({ configuration: { profile, id } }: { configuration: Configuration }) {
  return (
    <p class="template">
      <DownloadButton
        label={say(uploadTexts.template)}
        name="template.csv"
        path={`/v2/credentials/${profile}/configurations/${id}/template.csv`}
        accept="text/csv"
      />
      <span class="soft">{say(uploadTexts.templateWhat)}</span>
    </p>
  )
}
