import { useState } from 'preact/hooks'
import { api, callApi, type Schemas } from '../../kit/api.ts'
import { CopyButton, Id } from '../../kit/copy.tsx'
import { useDidChoices } from '../../kit/dids.ts'
import { Badge, Facts, Json, Section, Verbatim } from '../../kit/elements.tsx'
import { Form } from '../../kit/form.tsx'
import { say } from '../../kit/language.ts'
import { can } from '../../kit/session.ts'
import { Loading } from '../../kit/states.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { sendTexts as t } from './inbox-texts.ts'

/** Signs payloads with the keys of the tenant, and verifies the signatures of anyone. */
export function Signatures() {
  const [verified, setVerified] = useState<Schemas['VerifiedMessage']>()
  return (
    <>
      {can('signMessage', 'retrieveDids') && <Sign />}
      <Section title={say(t.verifySignature)}>
        <Form
          calls="verifyMessage"
          fields={[{ name: 'jws', kind: 'long', required: true, label: t.jws }]}
          action={say(t.verify)}
          submit={(body: Schemas['VerifyMessageRequest']) => callApi(api.POST('/v1/messaging/verify', { body }))}
          onDone={setVerified}
        />
        {verified && <Signature of={verified} />}
      </Section>
    </>
  )
}

function Sign() {
  const choices = useDidChoices()
  const [jws, setJws] = useState<string>()
  return (
    <Section title={say(t.signPayload)}>
      {choices.length === 0 ? (
        <Loading />
      ) : (
        <Form
          calls="signMessage"
          fields={[
            { name: 'didUrl', kind: 'choice', required: true, label: t.key, hint: t.keyHint, choices },
            { name: 'payload', kind: 'json', rows: 4, required: true, label: t.payload },
          ]}
          start={{ payload: { text: 'Welcome' } }}
          action={say(t.sign)}
          submit={(body: Schemas['SignMessageRequest']) => callApi(api.POST('/v1/messaging/sign', { body }))}
          onDone={setJws}
        />
      )}
      {jws !== undefined && (
        <div role="status">
          <CopyButton text={jws} />
          <Verbatim text={jws} />
        </div>
      )}
    </Section>
  )
}

function Signature({ of: { verified, did, payload } }: { of: Schemas['VerifiedMessage'] }) {
  const state = say(verified ? t.verified : t.notVerified)
  return (
    <div role="status">
      <Facts
        of={[
          [
            commonTexts.state,
            <Badge key="state" mood={verified ? 'good' : 'bad'}>
              {state}
            </Badge>,
          ],
          [t.signer, <Id key="did" value={did} />],
        ]}
      />
      {payload !== undefined && <Json value={payload} />}
    </div>
  )
}
