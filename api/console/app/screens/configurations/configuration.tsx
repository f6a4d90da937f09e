import { useState } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import { api, callApi } from '../../kit/api.ts'
import type { Profile } from '../../kit/configurations.ts'
import { Id } from '../../kit/copy.tsx'
import { Json, Section } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { LinkButton } from '../../kit/link-button.tsx'
import { Screen } from '../../kit/screen.tsx'
import { Shown } from '../../kit/states.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { to, useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import type { Body } from './body.ts'
import { DeleteConfiguration } from './delete-configuration.tsx'
import { EditConflict } from './edit-conflict.tsx'
import { draftOf, Editor } from './editor.tsx'
import { bodyOfSaved, isProfile, readConfiguration, replaceConfiguration } from './operations.ts'
import { configurationTexts as own, profileTexts } from './texts.ts'

/** One configuration: form, JSON, and the metadata for wallets. */
export default function Configuration() {
  const { params } = useRoute()
  const [{ created }] = useQuery()
  const { id = '' } = params
  const profile = isProfile(params.profile) ? params.profile : 'compact'
  const configuration = useRead(() => readConfiguration(profile, id), [profile, id])
  const { data, etag } = configuration
  return (
    <Screen
      title={data ? nameOf(data) : say(own.configuration)}
      up={{ href: to('/configurations'), title: say(own.configurations) }}
      resource={`/v2/credentials/${profile}/configurations/${id}`}
      objectId={id}
      actions={
        data && (
          <LinkButton path="/offers/new" query={{ credentials: id }} isPrimary>
            {say(own.offerIt)}
          </LinkButton>
        )
      }
    >
      <p>
        {say(profileTexts[profile])} <Id value={id} />
      </p>
      {created && (
        <p class="note" role="status">
          {say(own.created)} <a href={to('/offers/new', { credentials: id })}>{say(own.offerIt)}</a>
        </p>
      )}
      {data && (profile === 'mobile' || profile === 'sd-jwt') && (
        <p class="soft">
          {say(own.needsIaca)} <a href={to('/certificates')}>{say(own.certificates)}</a>
        </p>
      )}
      <Shown of={configuration}>
        {(saved) => <SavedEditor key={id} {...{ profile, id, etag }} start={bodyOfSaved(saved)} />}
      </Shown>
    </Screen>
  )
}

function nameOf(saved: Body): string {
  const [display] = Array.isArray(saved.display) ? saved.display : []
  const names = [display?.name, saved.name, saved.type ?? saved.vct]
  return names.find((each): each is string => typeof each === 'string') ?? ''
}

/** Keeps its initial version until the user saves, or takes the version of another user. */
function SavedEditor(props: { profile: Profile; id: string; start: Body; etag: string | undefined }) {
  const { profile, id, start } = props
  const [draft, setDraft] = useState(() => draftOf(start))
  const [etag, setEtag] = useState(props.etag)
  const [saves, setSaves] = useState(0)
  const save = async (body: Body) => {
    const answered = await replaceConfiguration(profile, id, body, etag)
    if (answered.data) setEtag(answered.etag)
    return answered
  }
  return (
    <>
      <Editor
        {...{ profile, id, draft, setDraft, save }}
        action={say(commonTexts.save)}
        onSaved={(saved) => {
          setDraft(draftOf(bodyOfSaved(saved)))
          setSaves(saves + 1)
        }}
        explain={(problem) =>
          problem.kind === 'changed' && (
            <EditConflict
              {...{ profile, id, mine: draft.body, etag }}
              take={(body, taken) => {
                setEtag(taken)
                if (body) setDraft(draftOf(body))
              }}
            />
          )
        }
      >
        {saves > 0 && <span role="status">✓ {say(commonTexts.saved)}</span>}
        <DeleteConfiguration {...{ profile, id }} word={nameOf(start)} />
      </Editor>
      <Metadata id={id} saves={saves} />
    </>
  )
}

function Metadata({ id, saves }: { id: string; saves: number }) {
  // Caches may store it for a minute.
  const metadata = useRead(
    () => callApi(api.GET('/.well-known/openid-credential-issuer', { cache: 'no-cache' })),
    [saves],
  )
  return (
    <Section title={say(own.metadata)}>
      <p class="soft">{say(own.metadataHint)}</p>
      <Shown of={metadata}>{(all) => <Json value={(all as IssuerMetadata)[supported]?.[id] ?? null} />}</Shown>
    </Section>
  )
}

const supported = 'credential_configurations_supported'
/** Boundary: the response is JSON, because the request accepts no JWT. */
type IssuerMetadata = { [supported]?: Record<string, unknown> }
