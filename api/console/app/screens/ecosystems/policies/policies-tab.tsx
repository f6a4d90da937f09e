import { ActButton } from '../../../kit/act-button.tsx'
import { Id } from '../../../kit/copy.tsx'
import { ConfirmButton } from '../../../kit/dialog.tsx'
import { Badge, Facts, Json, Section } from '../../../kit/elements.tsx'
import { say } from '../../../kit/language.ts'
import { Empty, Shown } from '../../../kit/states.tsx'
import { commonTexts } from '../../../kit/texts.ts'
import { useQuery } from '../../../kit/url-state.ts'
import { useRead } from '../../../kit/use-read.ts'
import { numberText, When } from '../../../kit/when.tsx'
import { mayChange, together } from '../calls.ts'
import { Addresses } from '../lists/addresses.tsx'
import {
  deletePolicy,
  latestPath,
  loadPolicy,
  loadPreview,
  type Policy,
  type PolicyKind,
  publishPolicy,
  retrieveLatest,
} from './policy-calls.ts'
import { policyTexts } from './texts.ts'

const kinds = ['general', 'issuer', 'verifier'] as const

/** The policies of an ecosystem: the published policy of each kind, and a preview of the next one. */
export function PoliciesTab({ ecosystemId }: { ecosystemId: string }) {
  const [query, change] = useQuery()
  const kind = kinds.find((each) => each === query.policy) ?? 'general'
  return (
    <>
      <div class="filters choosing">
        <label>
          {say(policyTexts.which)}
          <select
            value={kind}
            onChange={({ currentTarget }) => change({ policy: currentTarget.value, policyId: undefined })}
          >
            {kinds.map((each) => (
              <option key={each} value={each}>
                {say(policyTexts[each])}
              </option>
            ))}
          </select>
        </label>
      </div>
      <PolicyOf key={kind} ecosystemId={ecosystemId} kind={kind} />
      {kind !== 'general' && <ById ecosystemId={ecosystemId} kind={kind} />}
    </>
  )
}

interface OfKind {
  ecosystemId: string
  kind: PolicyKind
}

function PolicyOf({ ecosystemId, kind }: OfKind) {
  const read = useRead(() => loadBoth(ecosystemId, kind), [ecosystemId, kind])
  const reload = () => void read.reload()
  return (
    <Shown of={read}>
      {({ latest, preview }) => (
        <>
          <Section title={say(policyTexts[kind])} actions={latest && <Freshness policy={latest} preview={preview} />}>
            <p class="soft">{say(policyTexts[`${kind}What`])}</p>
            {latest ? <Published ecosystemId={ecosystemId} kind={kind} of={latest} onChanged={reload} /> : null}
            {!latest && <Empty>{say(policyTexts.none)}</Empty>}
            {mayChange() && (
              <div class="actions acts">
                <ActButton
                  calls="publishIssuerPolicy"
                  label={say(policyTexts.publish)}
                  isPrimary
                  act={() => publishPolicy(ecosystemId, kind)}
                  onDone={reload}
                />
              </div>
            )}
          </Section>
          <Section title={say(policyTexts.preview)}>
            <Json value={preview} />
          </Section>
        </>
      )}
    </Shown>
  )
}

async function loadBoth(ecosystemId: string, kind: PolicyKind) {
  const [latest, preview] = await Promise.all([retrieveLatest(ecosystemId, kind), loadPreview(ecosystemId, kind)])
  return together<{ latest: Policy | null; preview: Record<string, unknown> }>({ latest, preview })
}

function Freshness({ policy, preview }: { policy: Policy; preview: Record<string, unknown> }) {
  const isSame = JSON.stringify(policy.content) === JSON.stringify(preview)
  return <Badge mood={isSame ? 'good' : 'warn'}>{say(isSame ? policyTexts.sameAsNow : policyTexts.differs)}</Badge>
}

function Published(props: OfKind & { of: Policy; onChanged: () => void }) {
  const { ecosystemId, kind, of, onChanged } = props
  const { id, publishedAt, etag, content } = of
  const participants = Object.keys(content.participants ?? {}).length
  return (
    <>
      <Facts
        of={[
          [policyTexts.publishedAt, <When key="at" at={publishedAt} />],
          [commonTexts.id, id && <Id value={id} />],
          [policyTexts.version, etag && <code>{etag}</code>],
          [policyTexts.participants, numberText(participants)],
        ]}
      />
      <Addresses
        of={[
          [policyTexts.latestAt, latestPath(ecosystemId, kind)],
          ...(id ? [[policyTexts.thisAt, latestPath(ecosystemId, kind).replace(/latest$/, id)] as const] : []),
        ]}
      />
      <details>
        <summary>{say(policyTexts.content)}</summary>
        <Json value={content} />
      </details>
      {id && kind !== 'general' && mayChange() && (
        <div class="actions acts">
          <ConfirmButton
            calls="deleteIssuerPolicy"
            label={say(commonTexts.delete)}
            title={say(policyTexts[kind])}
            word={say(policyTexts.deleteWord)}
            act={() => deletePolicy(ecosystemId, kind, id)}
            onDone={onChanged}
          >
            <p>{say(policyTexts.deleteWhat)}</p>
          </ConfirmButton>
        </div>
      )}
    </>
  )
}

/** Opens an older policy by its id. */
function ById({ ecosystemId, kind }: { ecosystemId: string; kind: 'issuer' | 'verifier' }) {
  const [{ policyId }, change] = useQuery()
  return (
    <Section title={say(policyTexts.byId)}>
      <div class="filters">
        <label>
          {say(commonTexts.id)}
          <input
            value={policyId ?? ''}
            onChange={({ currentTarget }) => change({ policyId: currentTarget.value.trim() })}
          />
        </label>
      </div>
      {policyId && <Found key={policyId} ecosystemId={ecosystemId} kind={kind} policyId={policyId} />}
    </Section>
  )
}

function Found(props: { ecosystemId: string; kind: 'issuer' | 'verifier'; policyId: string }) {
  const { ecosystemId, kind, policyId } = props
  const [, change] = useQuery()
  const policy = useRead(() => loadPolicy(ecosystemId, kind, policyId), [ecosystemId, kind, policyId])
  return (
    <Shown of={policy}>
      {(of) => (
        <Published ecosystemId={ecosystemId} kind={kind} of={of} onChanged={() => change({ policyId: undefined })} />
      )}
    </Shown>
  )
}
